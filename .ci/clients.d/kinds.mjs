// The live service's command-line client with keys of every kind, and what each of them is refused. The table in README.md
// names the lines that end with its rows.
import assert from 'node:assert/strict';
import { mkdtempSync } from 'node:fs';
import { neon, printed } from './cli.mjs';

const { NEON_API_HOST: host, ORG: org, ORG_KEY: orgKey, PROJECT: project, PROJECT_KEY: projectKey, PROJECTS: count } = process.env;
const ofOrg = ['--org-id', org];

await Promise.all([
  neon(['orgs', 'list']).then((all) => assert.ok(all.length === 2 && all[0].id === org)),
  neon(['me']).then((me) => assert.equal(me.login, 'demo')),
  neon(['projects', 'get', project]).then((p) => assert.ok(p.id === project && p.org_id === org)),
  assert.rejects(neon(['projects', 'list']), /org_id is required/),
  assert.rejects(neon(['projects', 'list', '--org-id', 'org-of-others-1']), /not an organization member/),
]);
await Promise.all([
  neon(['orgs', 'list'], orgKey).then((all) => assert.deepEqual(all.map((o) => o.id), [org])),
  neon(['projects', 'list'], orgKey).then(({ projects }) => assert.equal(projects.length, Number(count))),
  neon(['projects', 'get', project], projectKey).then((p) => assert.equal(p.id, project)),
  neon(['operations', 'list', '--project-id', project], projectKey).then((all) => assert.equal(all.length, 100)),
  assert.rejects(neon(['me'], orgKey), /not allowed for organization API keys/),
  assert.rejects(neon(['projects', 'list'], projectKey), /outside the project this key is scoped to/),
]);

const [whole, single, account] = await Promise.all([
  neon(['api-keys', 'create', '--name', 'whole', ...ofOrg]),
  neon(['api-keys', 'create', '--name', 'single', '--project-id', project]),
  neon(['api-keys', 'create', '--name', 'whole']),
]);
assert.equal(single.project_id, project);
const keys = await neon(['api-keys', 'list', ...ofOrg]); // README: keys
assert.deepEqual(
  [whole, single, account].map(({ id }) => keys.find((k) => k.id === id)?.project_id ?? keys.some((k) => k.id === id)),
  [true, project, false],
);
await Promise.all([
  neon(['projects', 'list'], whole.key).then(({ projects }) => assert.equal(projects.length, Number(count))),
  assert.rejects(neon(['projects', 'list'], single.key), /outside the project this key is scoped to/),
  assert.rejects(neon(['api-keys', 'create', '--name', 'whole', ...ofOrg]), /choose another unique name/),
  assert.rejects(neon(['api-keys', 'revoke', String(account.id), ...ofOrg]), /No API key with id/),
  assert.rejects(neon(['api-keys', 'revoke', String(whole.id)]), /No account API key with id/),
]);
for (const key of [whole, single]) {
  assert.equal((await neon(['api-keys', 'revoke', String(key.id), ...ofOrg])).revoked, true);
}

// The client revokes a key that reaches more than it asked for.
await fetch(new URL('/_mock/faults', host), { method: 'POST', body: 'wider count=1 of create_org_key' });
await assert.rejects(neon(['api-keys', 'create', '--name', 'wide', '--project-id', project]), /scoped to nothing rather than .* has been revoked/s);
assert.ok((await neon(['api-keys', 'list', ...ofOrg])).every((k) => k.name !== 'wide'));

// A rotation replaces the key of a profile that the client made itself, and revokes it at once: nothing that still uses the
// old key is waited for. A key that it was given stays, and a key of an organization cannot be rotated.
const profiles = ['--config-dir', mkdtempSync(`${process.env.HOME}/profiles-`), '-o', 'json', 'profile'];
const rotated = async (name) => JSON.parse(await printed([...profiles, 'rotate-key', name])).keyId;
const listed = async (ids) => (await neon(['api-keys', 'list'])).map((k) => k.id).filter((id) => ids.includes(id)).sort();
const given = await neon(['api-keys', 'create', '--name', 'given']);
await printed([...profiles, 'create', 'work', '--api-key', given.key]);
const first = await rotated('work');
assert.deepEqual(await listed([given.id, first]), [given.id, first]);
const second = await rotated('work');
assert.deepEqual(await listed([given.id, first, second]), [given.id, second]); // README: rotate a key
await printed([...profiles, 'create', 'acme', '--api-key', orgKey]);
await assert.rejects(rotated('acme'), /cannot mint its own replacement/); // README: rotate a key

assert.ok((await neon(['branches', 'list', '--project-id', project], projectKey)).length > 10);
