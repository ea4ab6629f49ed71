// The live service's library for JavaScript.
import assert from 'node:assert/strict';
import { createNeonClient } from '@neon/sdk';

const { NEON_API_HOST: baseUrl, NEON_API_KEY: apiKey, PROJECT: project, PROJECTS: count } = process.env;
const orgId = process.env.ORG || undefined;
const connect = (key) => createNeonClient({ apiKey: key, baseUrl, orgId, throwOnError: true });
const neon = connect(apiKey);

const projects = await neon.projects.list().all();
assert.equal(new Set(projects.map((p) => p.id)).size, Number(count));

const operations = await neon.operations.list({ projectId: project }).all();
assert.ok(operations.length >= 2000);
assert.equal(new Set(operations.map((o) => o.id)).size, operations.length);
assert.ok(operations.every((o, i) => i === 0 || o.created_at <= operations[i - 1].created_at));
const oldest = operations.at(-1);
assert.deepEqual(await neon.operations.get({ projectId: project, operationId: oldest.id }), oldest);

const created = await neon.apiKeys.create({ keyName: 'of the sdk' });
const page = await connect(created.key).projects.list().page();
assert.equal(page.items.length, 10);
const key = (await neon.apiKeys.list()).find((k) => k.id === created.id);
assert.equal(key.name, 'of the sdk');
assert.equal((await neon.apiKeys.revoke({ keyId: created.id })).revoked, true);

await assert.rejects(connect(created.key).apiKeys.list(), { kind: 'auth', status: 401, code: '', requestId: /^[0-9a-f-]{36}$/ });
await assert.rejects(neon.operations.list({ projectId: 'no-such-project' }).all(), { kind: 'not_found', message: 'no such project' });
