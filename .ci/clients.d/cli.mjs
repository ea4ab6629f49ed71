// Runs the live service's command-line client.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const { NEON_API_HOST: host, NEON_API_KEY: own } = process.env;

// neon returns what a command prints as JSON, with a key of its own or the environment's. CI=1 keeps it from asking.
export async function neon(args, key = own) {
  const all = ['node_modules/neon/dist/cli.js', '--no-analytics', '-o', 'json', '--api-host', host, '--api-key', key, ...args];
  const env = { ...process.env, CI: '1' };
  const { stdout } = await promisify(execFile)(process.execPath, all, { env, maxBuffer: 1 << 26 });
  return JSON.parse(stdout);
}
