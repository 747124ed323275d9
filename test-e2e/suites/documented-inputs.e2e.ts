import type { ApiAnswer } from '../support/api';
import { OPERATION_CASES, type OperationCase, urlOf } from '../support/openapi/openapi-cases';
import { nameOf, type Operation, operationNamed } from '../support/openapi/openapi-document';
import { type OpenApiFixture, startOpenApiFixture } from '../support/openapi/openapi-fixture';
import { type DocumentedInput, sampleInputs } from './documented-inputs/documented-inputs';

jest.setTimeout(120_000);

/** Completions take whatever clients send; they have suites of their own. */
const COMPLETION = /^POST \/v1\/(llm\/chat|chat|llm\/route|messages|responses|embeddings)(\/|$)/;
const COUNT = 4;
const SEED = 20_261_122;

/**
 * What no schema can say and the description of an operation says instead: the refused member, and
 * the sentence of the refusal. Any other refusal is one for the form of a documented input.
 */
const RULES: Readonly<Record<string, RegExp>> = {
  cursor: /cursor:? .*(next_cursor|that this list gave)/,
  url: /^The host of this URL|^This is not a valid absolute URL|must not contain a user name/,
  base_url: /^The host of this URL|^This is not a valid absolute URL|must not contain a user name/,
  model: /does not serve this model/,
  models:
    /give models or csv|stands there twice|has one currency|at most what a fresh one|list price/,
  csv: /the first line names columns|a table has|stands there twice|^csv: line \d+/,
  owner_account_id: /must be the id of an account/,
  'models[].name': /is not in the catalogue|is listed twice/,
  credential: /A new base_url needs the credential again/,
  name: /a model keeps its name/,
  kind: /a model keeps its kind/,
  max_completion_tokens: /is above context_length/,
  'pricing.currency': /has one currency/,
  'pricing.cached_prompt': /costs at most what a fresh one does/,
  plan: /must be one of free/,
  amount: /cannot hold so much credit/,
  'data.amount': /cannot hold so much credit/,
  'data.currency': /the currency of all accounts/,
  expires_at: /must be in the future/,
  budget_period: /needs a max_budget/,
  password: /too easy to guess|at most 1024 bytes/,
  new_password: /too easy to guess|at most 1024 bytes|must differ/,
  'owner.password': /too easy to guess|at most 1024 bytes/,
  provider: /provider: is required/,
  refresh_token: /refresh_token: is required/,
  start: /are kept for|holds too much/,
  end: /must be after start/,
  interval: /too many intervals/,
};

let fixture: OpenApiFixture;

beforeAll(async () => {
  fixture = await startOpenApiFixture();
});

afterAll(async () => {
  expect(await fixture?.stop()).toBe(0);
});

const cases = OPERATION_CASES.filter((one) => !COMPLETION.test(nameOf(one))).map(
  (one) => [nameOf(one), one] as const,
);

test.each(cases)('%s refuses no documented input for its form', async (name, one) => {
  const operation = operationNamed(fixture.document, name);
  const rules = rulesOf(operation);
  const count = takesInput(operation) ? COUNT : 1;
  const wrong: unknown[] = [];
  for (const input of sampleInputs(operation, { count, seed: SEED })) {
    const refusal = refusalOf(await send(one, input));
    if (refusal === undefined) continue;
    const { param, message } = refusal;
    if (rules.includes(param) && RULES[param]?.test(message) === true) continue;
    wrong.push({ param, message, input });
  }
  expect(wrong).toEqual([]);
});

test('every rule of a description is one that a schema cannot say', () => {
  const documented = fixture.document.operations.flatMap(rulesOf);
  expect([...new Set(documented)].sort()).toEqual(Object.keys(RULES).sort());
});

function takesInput({ parameters, body }: Operation): boolean {
  const { properties = {} } = body?.content['application/json']?.schema ?? {};
  return (
    parameters.some((one) => one.in === 'query') || Object.keys(properties as object).length > 0
  );
}

/** The members of which the description says more than the schema. */
function rulesOf({ description = '' }: Operation): readonly string[] {
  return [...description.matchAll(/^- `([^`]+)` /gm)].map(([, member = '']) => member);
}

function refusalOf({ status, body }: ApiAnswer) {
  const { code, param, message = '' } = body?.error ?? {};
  if (status !== 400 || code !== 'VALIDATION_ERROR') return undefined;
  return { param: (param ?? '').replace(/\[\d+\]/g, '[]'), message };
}

async function send(one: OperationCase, { query, body }: DocumentedInput): Promise<ApiAnswer> {
  const { id, headers = {} } = await one.arrange(fixture);
  const words = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) words.set(name, String(value));
  const url = urlOf(one.path, {
    ...(id === undefined ? {} : { id }),
    ...(words.size === 0 ? {} : { query: words.toString() }),
  });
  const sent = body === undefined ? {} : { body: onLoopback(body, fixture.receiver.url('/')) };
  return fixture.callers[one.as].request(one.method, url, { ...sent, headers });
}

/** Other people's addresses become the receiver's: nothing leaves this machine. */
function onLoopback(value: unknown, receiver: string): unknown {
  const { origin } = new URL(receiver);
  const text = JSON.stringify(value, (name, member: unknown) =>
    (name === 'url' || name === 'base_url') && typeof member === 'string'
      ? member.replace(/^https?:\/\/[^/?#\\]*/, origin)
      : member,
  );
  return JSON.parse(text);
}
