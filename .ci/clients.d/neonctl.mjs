// The live service's command-line client.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const { NEON_API_HOST: host, PROJECT: project, PROJECTS: count } = process.env;

async function neonctl(args, env = {}) {
  const all = ['node_modules/neonctl/bin/cli.js', '--no-analytics', '-o', 'json', ...args];
  const { stdout } = await promisify(execFile)(process.execPath, all, { env: { ...process.env, ...env }, maxBuffer: 1 << 26 });
  return JSON.parse(stdout);
}

// What does not depend on each other runs at once: it takes a second to start.
const [projects, operations, created] = await Promise.all([
  neonctl(['projects', 'list']),
  neonctl(['operations', 'list', '--project-id', project]),
  neonctl(['api-keys', 'create', '--name', 'of neonctl']),
]);
assert.equal(new Set(projects.projects.map((p) => p.id)).size, Number(count));
assert.equal(operations.length, 100);
assert.ok(operations.every((o, i) => i === 0 || o.created_at < operations[i - 1].created_at));

const [one, found] = await Promise.all([
  neonctl(['api', `/projects/${project}/operations/${operations[0].id}`]),
  neonctl(['api', '/projects?limit=1'], { NEON_API_KEY: created.key }),
  assert.rejects(neonctl(['operations', 'list', '--project-id', 'no-such-project']), /no such project/),
]);
assert.equal(one.operation.id, operations[0].id);
assert.equal(found.projects.length, 1);

const key = (await neonctl(['api-keys', 'list'])).find((k) => k.id === created.id);
assert.equal(key.name, 'of neonctl');
assert.equal(key.last_used_from_addr, new URL(host).hostname);
assert.equal((await neonctl(['api-keys', 'revoke', String(created.id)])).revoked, true);
await assert.rejects(neonctl(['projects', 'list'], { NEON_API_KEY: created.key }), /rejected the API key/);
