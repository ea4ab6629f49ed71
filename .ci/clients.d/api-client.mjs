// The library for JavaScript that the live service had before.
import assert from 'node:assert/strict';
import { createApiClient } from '@neondatabase/api-client';

const { NEON_API_HOST: baseURL, NEON_API_KEY: apiKey, PROJECT: project, PROJECTS: count, SHARED: sharedCount } = process.env;
const org = process.env.ORG || undefined;
const connect = (key) => createApiClient({ apiKey: key, baseURL });
const neon = connect(apiKey);

// pages follows the cursor as its users do: until there is none, or nothing comes.
async function pages(list, field) {
  const all = [];
  for (let cursor; ; ) {
    const { data } = await list({ limit: 100, cursor });
    all.push(...data[field]);
    cursor = data.pagination?.cursor;
    if (!cursor || data[field].length === 0) return all;
  }
}

const projects = await pages((query) => neon.listProjects({ org_id: org, ...query }), 'projects');
assert.equal(new Set(projects.map((p) => p.id)).size, Number(count));
const { data: found } = await neon.listProjects({ search: projects[0].name, org_id: org ?? projects[0].org_id, limit: 400 });
assert.ok(found.projects.length < projects.length && found.projects[0].id === projects[0].id);
assert.equal((await neon.listSharedProjects({ limit: 100 })).data.projects.length, Number(sharedCount));

const operations = await pages((query) => neon.listProjectOperations({ projectId: project, ...query }), 'operations');
assert.ok(operations.length >= 2000);
assert.equal(new Set(operations.map((o) => o.id)).size, operations.length);
const { data: one } = await neon.getProjectOperation(project, operations.at(-1).id);
assert.deepEqual(one.operation, operations.at(-1));

const { data: created } = await neon.createApiKey({ key_name: 'of the api client' });
await connect(created.key).listProjects({ org_id: org });
const { data: keys } = await neon.listApiKeys();
assert.equal(keys.find((k) => k.id === created.id).name, 'of the api client');
assert.equal((await neon.revokeApiKey(created.id)).data.revoked, true);

const answers = (status, message) => (error) => error.response.status === status && message.test(error.response.data.message);
await assert.rejects(connect(created.key).listApiKeys(), answers(401, /API key/));
await assert.rejects(neon.listProjectOperations({ projectId: 'no-such-project' }), answers(404, /no such project/));
