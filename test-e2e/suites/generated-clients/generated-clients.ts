import { spawnSync } from 'node:child_process';
import { symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { REPOSITORY } from '../../support/repository';

/** What a program of a customer read through a client that was generated from the document. */
export interface ClientReading {
  readonly name: string;
  readonly content: string;
  readonly request_id: string;
  readonly charge: string;
  readonly code: string;
}

/** Where the product answers, and an access token that may make keys. */
export interface ClientTarget {
  readonly baseUrl: string;
  readonly token: string;
}

// It names the types of what it reads, so that a document that says less does not compile.
const TYPESCRIPT_PROGRAM = `
import createClient from 'openapi-fetch';
import type { components, paths } from './generated.d.ts';

const [baseUrl = '', token = ''] = process.argv.slice(2);
const bearer = (secret: string) => ({ Authorization: 'Bearer ' + secret });
const manager = createClient<paths>({ baseUrl, headers: bearer(token) });
const made = await manager.POST('/v1/keys', { body: { name: 'generated', max_budget: '1.00' } });
const key: components['schemas']['NewApiKey'] | undefined = made.data?.data;
if (key?.key === undefined) throw new Error(made.error?.error.message ?? 'the key has no secret');

const client = createClient<paths>({ baseUrl, headers: bearer(key.key) });
const answer = await client.POST('/v1/chat/completions', {
  body: { model: 'sim-small', messages: [{ role: 'user', content: 'Hello' }], max_tokens: 16 },
});
if (typeof answer.data !== 'object') throw new Error('a stream, or a failure');
const content: string | null | undefined = answer.data.choices[0]?.message.content;
const request_id = answer.response.headers.get('x-request-id') ?? '';

const path = { request_id };
let charge: string | undefined;
while (charge === undefined) {
  const receipt = await manager.GET('/v1/billing/receipts/{request_id}', { params: { path } });
  if (receipt.response.status !== 404 && receipt.data === undefined) {
    throw new Error(receipt.error?.error.message);
  }
  charge = receipt.data?.data.settle;
}
const refused = await manager.GET('/v1/keys/{id}', { params: { path: { id: 'key_unknown' } } });
const code: components['schemas']['Failure']['error']['code'] | undefined =
  refused.error?.error.code;
console.log(JSON.stringify({ name: key.name, content, request_id, charge, code }));
`;

const PYTHON_PROGRAM = `
import json
import sys

from generated import AuthenticatedClient
from generated.api.billing import get_billing_receipts_request_id as receipts
from generated.api.chat import post_chat_completions as completions
from generated.api.keys import get_keys_id, post_keys
from generated.models import (
    ChatCompletion, ChatCompletionRequest, Failure, GetBillingReceiptsRequestIdAnswer, NewApiKey,
    PostKeysAnswer, PostKeysBody,
)

base_url, token = sys.argv[1:]
manager = AuthenticatedClient(base_url=base_url, token=token)
made = post_keys.sync(client=manager, body=PostKeysBody(name="generated", max_budget="1.00"))
assert isinstance(made, PostKeysAnswer), made
key = made.data
assert isinstance(key, NewApiKey)

client = AuthenticatedClient(base_url=base_url, token=key.key)
body = ChatCompletionRequest.from_dict(
    {"model": "sim-small", "messages": [{"role": "user", "content": "Hello"}], "max_tokens": 16}
)
answer = completions.sync_detailed(client=client, body=body)
assert isinstance(answer.parsed, ChatCompletion), answer.parsed
request_id = answer.headers["x-request-id"]

receipt = None
while not isinstance(receipt, GetBillingReceiptsRequestIdAnswer):
    receipt = receipts.sync(client=manager, request_id=request_id)
    assert not isinstance(receipt, Failure) or receipt.error.code == "NOT_FOUND", receipt
refused = get_keys_id.sync(client=manager, id="key_unknown")
assert isinstance(refused, Failure)
print(json.dumps({
    "name": key.name, "content": answer.parsed.choices[0].message.content,
    "request_id": request_id, "charge": receipt.data.settle, "code": refused.error.code,
}))
`;

/** Generates TypeScript types from the document, checks a program against them, and runs it. */
export function runTypescriptClient(
  folder: string,
  document: string,
  { baseUrl, token }: ClientTarget,
): ClientReading {
  const suites = join(REPOSITORY, 'test-e2e');
  symlinkSync(join(suites, 'node_modules'), join(folder, 'node_modules'));
  writeFileSync(join(folder, 'openapi.json'), document);
  writeFileSync(join(folder, 'program.mts'), TYPESCRIPT_PROGRAM);
  const generator = require.resolve('openapi-typescript/package.json', { paths: [suites] });
  const cli = join(dirname(generator), 'bin/cli.js');
  run(folder, process.execPath, [
    cli,
    'openapi.json',
    '--output=generated.d.ts',
    '--default-non-nullable=false',
  ]);
  const compiler = join(REPOSITORY, 'node_modules/typescript-compiler/bin/tsc');
  const strict = ['--strict', '--noEmit', '--module', 'nodenext', '--target', 'es2024'];
  const types = ['--types', 'node', '--typeRoots', join(REPOSITORY, 'node_modules/@types')];
  const rules = [...strict, ...types, '--skipLibCheck', '--allowImportingTsExtensions'];
  run(folder, process.execPath, [compiler, ...rules, 'program.mts']);
  return readingOf(run(folder, process.execPath, ['program.mts', baseUrl, token]));
}

/** The same with a Python client; `packages` is the folder of the generator and what it needs. */
export function runPythonClient(
  folder: string,
  document: string,
  { baseUrl, token }: ClientTarget,
  packages: string,
): ClientReading {
  writeFileSync(join(folder, 'openapi.json'), document);
  writeFileSync(join(folder, 'config.yaml'), 'literal_enums: true\npost_hooks: []\n');
  writeFileSync(join(folder, 'program.py'), PYTHON_PROGRAM);
  const env = { ...process.env, PYTHONPATH: packages };
  const files = ['--path', 'openapi.json', '--output-path', 'generated', '--config', 'config.yaml'];
  const generator = ['-m', 'openapi_python_client', 'generate', ...files];
  const said = run(folder, 'python3', [...generator, '--meta', 'none', '--fail-on-warning'], env);
  if (/not be generated/.test(said)) throw new Error(said);
  return readingOf(run(folder, 'python3', ['program.py', baseUrl, token], env));
}

function readingOf(text: string): ClientReading {
  return JSON.parse(text) as ClientReading;
}

/** What the program printed; throws with all of it when it fails. */
function run(
  cwd: string,
  program: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = process.env,
): string {
  const result = spawnSync(program, args, { cwd, env, encoding: 'utf8', timeout: 120_000 });
  if (result.status !== 0)
    throw new Error(`${program} ${args[0]}: ${result.stdout}${result.stderr}`);
  return result.stdout;
}
