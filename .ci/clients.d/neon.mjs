// The live service's command-line client, with what it does in every account. The table in README.md names the lines that
// end with its rows.
import assert from 'node:assert/strict';
import { neon, printed } from './cli.mjs';

const { NEON_API_HOST: host, ORG: org, PROJECT: project, PROJECTS: count } = process.env;
const ofOrg = org ? ['--org-id', org] : [];

// What does not depend on each other runs at once: it takes a second to start.
const [listed, operations, created] = await Promise.all([
  neon(['projects', 'list', ...ofOrg]),
  neon(['operations', 'list', '--project-id', project]),
  neon(['api-keys', 'create', '--name', 'of neon']),
]);
const projects = org ? listed : listed.projects; // without an organization, it lists the shared ones, too
assert.equal(new Set(projects.map((p) => p.id)).size, Number(count));
assert.equal(operations.length, 100); // README: operations
assert.ok(operations.every((o, i) => i === 0 || o.created_at <= operations[i - 1].created_at));

// The service for projects without an account is another one, which is not there.
process.env.CLAIMABLE_NEON_HOST = 'http://localhost:1';
const ofProject = ['operations', 'list', '--project-id', project];
await Promise.all([
  neon([...ofProject, '--status', 'failed']).then((list) => assert.equal(list.length, 100)), // README: filter
  assert.rejects(neon(['operations', 'wait']), /Unknown command: wait/), // README: wait, follow
  // Its operations can only be listed.
  printed(['operations', '--help']).then((help) => assert.deepEqual(help.match(/^neon operations \w+/gm), ['neon operations list'])), // README: groups, timeline, alerts
  ...['branches', 'databases', 'roles', 'psql'].map((command) => printed([command, '--help'])), // README: branches, databases, roles, queries
  assert.rejects(printed(['claim', 'create']), /Could not reach Claimable Neon/), // README: try it without an account
]);

const [one, found] = await Promise.all([
  neon(['api', `/projects/${project}/operations/${operations[0].id}`]), // README: any other route of the API
  neon(['api', `/projects?limit=1&org_id=${org}`], created.key),
  assert.rejects(neon(['operations', 'list', '--project-id', 'no-such-project']), /no such project/),
]);
assert.equal(one.operation.id, operations[0].id);
assert.equal(found.projects.length, 1);

const key = (await neon(['api-keys', 'list'])).find((k) => k.id === created.id);
assert.equal(key.name, 'of neon');
assert.equal(key.last_used_from_addr, new URL(host).hostname);
assert.equal((await neon(['api-keys', 'revoke', String(created.id)])).revoked, true); // README: revoke a key
await assert.rejects(neon(['projects', 'list'], created.key), /rejected the API key/);

if (process.env.LIVE) {
  // The client asks for all branches in one page, by names and ids.
  const [branches, main] = await Promise.all([
    neon(['branches', 'list', '--project-id', project]),
    neon(['branches', 'get', 'main', '--project-id', project]),
    assert.rejects(neon(['branches', 'get', 'no-such-branch', '--project-id', project]), /not found/i),
  ]);
  assert.ok(branches.length > 10 && branches.some((b) => b.name.startsWith('preview/')));
  assert.equal(branches.find((b) => b.name === 'main').id, main.id);
  assert.ok(main.default && main.protected);
}
