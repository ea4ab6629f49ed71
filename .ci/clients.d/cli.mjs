// Runs the live service's command-line client.
import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';

const { NEON_API_HOST: host, NEON_API_KEY: own } = process.env;

// neon returns what a command prints as JSON, with a key of its own or the environment's.
export async function neon(args, key = own) {
  return JSON.parse(await printed(['-o', 'json', '--api-key', key, ...args]));
}

// printed returns what a command prints. It finds no key in the environment and no file of ours in its folder, and CI=1 keeps
// it from asking.
export async function printed(args) {
  const command = [resolve('node_modules/neon/dist/cli.js'), '--no-analytics', '--api-host', host, ...args];
  const { NEON_API_KEY, ...rest } = process.env;
  const options = { cwd: rest.HOME, env: { ...rest, CI: '1' }, maxBuffer: 1 << 26 };
  const { stdout } = await promisify(execFile)(process.execPath, command, options);
  return stdout;
}
