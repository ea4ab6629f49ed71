// Checks answers against the types of the library for JavaScript: each is written into a program as a value of its type,
// so that a field too many is an error, as is one too few.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';

const { NEON_API_HOST: base, NEON_API_KEY: own, ORG: org, ORG_KEY: orgKey, PROJECT: project } = process.env;
const program = [`import type * as neon from '@neondatabase/api-client';
// An enumeration is the texts that it stands for.
type Plain<T> = T extends string ? \`\${T}\` : T extends object ? { [K in keyof T]: Plain<T[K]> } : T;
`];

async function check(type, request, body, key = own) {
  const [method, path] = request.split(' ');
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const answer = await fetch(base + path, { method, headers, body: body && JSON.stringify(body) });
  const text = await answer.text();
  assert.equal(answer.status, 200, `${request}: ${text}`);
  const named = type.replaceAll(/\w+/g, 'neon.$&');
  program.push(`// ${request}\nexport const answer${program.length}: Plain<${named}> = ${text}`);
  return JSON.parse(text);
}

// These types are of the service's version before the names of permissions of today.
const faults = new URL('/_mock/faults', base);
await fetch(faults, { method: 'POST', body: 'other of GET' });
const ofOrg = org ? `&org_id=${org}` : '';
await check('ProjectsResponse & PaginationResponse', `GET /projects?limit=400${ofOrg}`);
await check('ProjectsResponse & PaginationResponse', 'GET /projects/shared?limit=400');
const page = await check('OperationsResponse & PaginationResponse', `GET /projects/${project}/operations?limit=1000`);
await check('OperationResponse', `GET /projects/${project}/operations/${page.operations[0].id}`);
await check('ProjectResponse', `GET /projects/${project}`);
const paged = 'BranchesResponse & AnnotationsMapResponse & CursorPaginationResponse';
const { branches } = await check(paged, `GET /projects/${project}/branches`);
await check(paged, `GET /projects/${project}/branches?limit=1&sort_by=created_at`);
await check('BranchResponse & AnnotationResponse', `GET /projects/${project}/branches/${branches[0].id}`);
await check('EndpointsResponse', `GET /projects/${project}/endpoints`);
const account = await check('ApiKeyCreateResponse', 'POST /api_keys', { key_name: 'of types' });
await check('ApiKeysListResponseItem[]', 'GET /api_keys');
await check('ApiKeyRevokeResponse', `DELETE /api_keys/${account.id}`);
if (org) {
  await check('AuthDetailsResponse', 'GET /auth');
  await check('AuthDetailsResponse', 'GET /auth', undefined, orgKey);
  await check('CurrentUserInfoResponse', 'GET /users/me');
  await check('OrganizationsResponse', 'GET /users/me/organizations');
  await check('Organization', `GET /organizations/${org}`);
  await check('OrganizationMembersResponse & CursorPaginationResponse', `GET /organizations/${org}/members`);
  const keys = `/organizations/${org}/api_keys`;
  const single = await check('OrgApiKeyCreateResponse', `POST ${keys}`, { key_name: 'of types', project_id: project });
  await check('OrgApiKeysListResponseItem[]', `GET ${keys}`);
  await check('OrgApiKeyRevokeResponse', `DELETE ${keys}/${single.id}`);
  for (const fault of ['unavailable=1 count=1 of list_projects', `mfa count=1 of list_organizations`]) {
    await fetch(faults, { method: 'POST', body: fault });
  }
  await check('ProjectsResponse & PaginationResponse', `GET /projects?limit=400${ofOrg}`);
  await check('OrganizationsResponse', 'GET /users/me/organizations');
}
await fetch(faults, { method: 'DELETE' });
writeFileSync('answers.ts', program.join('\n'));
const compilerOptions = { noEmit: true, strict: true, skipLibCheck: true, module: 'nodenext', types: [] };
writeFileSync('tsconfig.json', JSON.stringify({ compilerOptions, files: ['answers.ts'] }));
execFileSync(process.execPath, ['node_modules/typescript/lib/tsc.js'], { stdio: 'inherit' });
