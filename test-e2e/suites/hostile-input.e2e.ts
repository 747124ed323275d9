import { faultOf } from '../support/error-table';
import { eventually } from '../support/eventually';
import { type Place, placesIn, placesOf, withValue } from '../support/openapi/body-places';
import {
  type Arranged,
  OPERATION_CASES,
  type OperationCase,
  urlOf,
} from '../support/openapi/openapi-cases';
import { nameOf, operationNamed } from '../support/openapi/openapi-document';
import { type OpenApiFixture, startOpenApiFixture } from '../support/openapi/openapi-fixture';
import { addEmbeddingModel } from '../support/vendors/simulator';
import { type HostileValue, INJECTIONS, ODDITIES } from './hostile-input/hostile-values';

jest.setTimeout(600_000);

const PARALLEL = 12;
const MESSAGES = [
  { role: 'system', content: 'x' },
  { role: 'user', content: [{ type: 'text', text: 'x' }] },
];
const CHAT = {
  model: 'sim-small',
  models: ['sim-small'],
  messages: MESSAGES,
  temperature: 0,
  top_p: 1,
  max_tokens: 1,
  max_completion_tokens: 1,
  stream: false,
  stream_options: { include_usage: true },
  stop: ['x'],
  presence_penalty: 0,
  frequency_penalty: 0,
  user: 'x',
  seed: 1,
  n: 1,
  tools: [{ type: 'function', function: { name: 'x', parameters: {} } }],
  tool_choice: 'none',
  parallel_tool_calls: false,
  response_format: { type: 'text' },
  logprobs: false,
  top_logprobs: 0,
  logit_bias: { '1': 0 },
  reasoning_effort: 'low',
  metadata: { note: 'x' },
};
const CACHED = { cache_control: { type: 'ephemeral' } };
const COUNT = {
  model: 'sim-small',
  models: ['sim-small'],
  system: [{ type: 'text', text: 'x', ...CACHED }],
  messages: [
    { role: 'user', content: 'Hello' },
    { role: 'assistant', content: [{ type: 'text', text: 'x' }] },
    { role: 'user', content: [{ type: 'text', text: 'x', ...CACHED }] },
  ],
  tools: [
    { type: 'custom', name: 'x', description: 'x', input_schema: {}, strict: false, ...CACHED },
  ],
  tool_choice: { type: 'auto', name: null, disable_parallel_tool_use: false },
  thinking: { type: 'enabled', budget_tokens: 1024, display: 'summarized' },
  output_config: { effort: 'low', format: { type: 'json_schema', schema: {} } },
  ...CACHED,
};
const MESSAGE = {
  ...COUNT,
  max_tokens: 2048,
  temperature: 0,
  top_p: 1,
  stream: false,
  stop_sequences: ['x'],
  metadata: { user_id: 'x' },
  service_tier: 'auto',
};
const RESPONSE = {
  model: 'sim-small',
  models: ['sim-small'],
  instructions: 'x',
  input: [
    { role: 'user', content: 'Hello' },
    { role: 'assistant', content: [{ type: 'output_text', text: 'x' }] },
    { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'x' }] },
  ],
  max_output_tokens: 1,
  temperature: 0,
  top_p: 1,
  stream: false,
  stream_options: { include_obfuscation: false },
  store: false,
  text: { format: { type: 'text' } },
  reasoning: { effort: 'low', summary: 'auto' },
  tools: [{ type: 'function', name: 'x', description: 'x', parameters: {}, strict: false }],
  tool_choice: 'none',
  parallel_tool_calls: true,
  metadata: { a: 'x' },
  user: 'x',
  safety_identifier: 'x',
  prompt_cache_key: 'x',
  prompt_cache_retention: '24h',
  service_tier: 'auto',
  truncation: 'disabled',
  include: ['reasoning.encrypted_content'],
};
const EMBEDDING = {
  model: 'victim-vectors',
  input: ['x'],
  encoding_format: 'float',
  dimensions: 2,
  user: 'x',
};
/** Members that a schema does not name: it leaves the choice between several kinds of objects. */
const COMPLETIONS: Readonly<Record<string, object>> = {
  'POST /v1/llm/chat/completions': CHAT,
  'POST /v1/chat/completions': CHAT,
  'POST /v1/messages': MESSAGE,
  'POST /v1/messages/count_tokens': COUNT,
  'POST /v1/responses': RESPONSE,
  'POST /v1/embeddings': EMBEDDING,
  'POST /v1/llm/route/explain': CHAT,
};
/** A session or a code is made once: so many logins would be refused. */
const SIGNING_IN = /^\/v1\/(users|oauth)\//;

/** Members that take any object; what is inside is ignored, or the vendors' business. */
const FREE_FORM = [
  /^(metadata|tools|response_format|logit_bias)/,
  /^(stream_options|text|reasoning|output_config)$/,
  /cache_control|format\.schema/,
];
const isFreeForm = (place: Place) => FREE_FORM.some((pattern) => pattern.test(place.join('.')));

let fixture: OpenApiFixture;
/** One thing of each operation, so that a hostile body gets as far as a good one. */
const victims = new Map<string, Promise<Arranged>>();

beforeAll(async () => {
  fixture = await startOpenApiFixture({
    TOLLGATE_INIT_PLAN: 'enterprise',
    TOLLGATE_INIT_CREDIT: '1000.00',
  });
  const { key } = fixture.callers;
  const { items } = await key.get('/v1/admin/channels');
  const [channel] = items as readonly { readonly id: string }[];
  await key.put(`/v1/admin/channels/${channel?.id}`, {
    capabilities: ['tools', 'logit_bias', 'reasoning_effort', 'response_format'],
  });
  await eventually(
    () => key.request('POST', '/v1/chat/completions', { body: CHAT }),
    ({ status }) => status === 200,
  );
  await addEmbeddingModel(key, EMBEDDING.model);
});

afterAll(async () => {
  expect(await fixture?.stop()).toBe(0);
});

afterEach(async () => {
  const answer = await fixture.callers.key.request('POST', '/v1/chat/completions', {
    body: { model: 'sim-small', max_tokens: 1, messages: [{ role: 'user', content: 'Hello' }] },
  });
  expect([answer.status, answer.text]).toEqual([200, expect.stringContaining('choices')]);
  const output = fixture.tollgate.process.output();
  expect(output).not.toMatch(/"level":"error"|INTERNAL_ERROR|DATABASE_ERROR/);
});

async function victimOf(one: OperationCase): Promise<Arranged> {
  const name = nameOf(one);
  const victim = victims.get(name) ?? one.arrange(fixture);
  victims.set(name, victim);
  return victim;
}

async function contentOf(one: OperationCase): Promise<Arranged> {
  const body = COMPLETIONS[nameOf(one)];
  if (body !== undefined) return { body };
  return SIGNING_IN.test(one.path) ? victimOf(one) : one.content(fixture);
}

async function urlOfVictim(one: OperationCase): Promise<string> {
  const { id } = one.path.includes('{') ? await victimOf(one) : {};
  return urlOf(one.path, id === undefined ? {} : { id });
}

interface Case {
  readonly one: OperationCase;
  readonly place: Place;
  readonly hostile: HostileValue;
}

/** Sends all cases, a few at a time; answers a line for each that went wrong. */
async function tryAll<Item>(
  items: readonly Item[],
  judge: (item: Item) => Promise<string | undefined>,
): Promise<readonly string[]> {
  const wrong: string[] = [];
  const queue = [...items];
  const work = async () => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) {
      const fault = await judge(item);
      if (fault !== undefined) wrong.push(fault);
    }
  };
  await Promise.all(Array.from({ length: PARALLEL }, work));
  return wrong;
}

/** Every value in every place that the document or the usual body of an operation has. */
async function casesOf(
  values: readonly HostileValue[],
  operations = OPERATION_CASES,
): Promise<readonly Case[]> {
  const cases = operations.map(async (one) => {
    const { body } = operationNamed(fixture.document, nameOf(one));
    const { schema = {} } = body?.content['application/json'] ?? {};
    const named = placesOf(schema, fixture.document.root);
    if (named.length === 0) return [];
    const used = placesIn((await contentOf(one)).body);
    const places = new Map([...named, ...used].map((place) => [place.join('.'), place]));
    return [...places.values()].flatMap((place) =>
      values.map((hostile) => ({ one, place, hostile })),
    );
  });
  return (await Promise.all(cases)).flat();
}

async function sendCase({ one, place, hostile }: Case) {
  const { body, headers = {} } = await contentOf(one);
  const mark = 'mark-of-the-place';
  // The bytes of some values no library would write.
  const text = JSON.stringify(withValue(body, place, mark));
  const answer = await fixture.callers[one.as].request(one.method, await urlOfVictim(one), {
    body: text.replace(JSON.stringify(mark), () => hostile.json),
    headers,
  });
  const line = `${nameOf(one)} ${place.join('.')} = ${hostile.name}: ${answer.status} ${answer.text.slice(0, 200)}`;
  return { answer, line };
}

test('the completions of the table are good ones', async () => {
  for (const [name, body] of Object.entries(COMPLETIONS)) {
    const [method = '', path = ''] = name.split(' ');
    const answer = await fixture.callers.key.request(method, path, { body });
    expect([name, answer.status, answer.text]).toEqual([name, 200, expect.any(String)]);
  }
});

test('an operator or a prototype in place of any value is refused and named', async () => {
  const cases = (await casesOf(INJECTIONS)).filter(({ place }) => !isFreeForm(place));
  const wrong = await tryAll(cases, async (one) => {
    const { answer, line } = await sendCase(one);
    const { code, param } = answer.body?.error ?? {};
    const refused = code === 'VALIDATION_ERROR' && typeof param === 'string' && param !== '';
    return refused && faultOf(answer) === undefined ? undefined : line;
  });
  expect(cases.length).toBeGreaterThan(3500);
  expect(wrong).toEqual([]);
});

const HOSTILE_IDS = [
  '{"$gt":""}',
  '[object Object]',
  '__proto__',
  'constructor',
  '../../admin/accounts',
  'a\u0000b',
  ' ',
  '*',
  'key_01%',
  'x'.repeat(10_000),
  '\u202e',
].map(encodeURIComponent);

test('an id that is none is 404 or 400, whatever stands in it', async () => {
  const withId = OPERATION_CASES.filter(({ path }) => path.includes('{'));
  const cases = withId.flatMap((one) =>
    // The last ones are no UTF-8: they decode to nothing.
    [...HOSTILE_IDS, '%ff', '%c0%ae', '%'].map((id) => ({ one, id })),
  );
  const wrong = await tryAll(cases, async ({ one, id }) => {
    const { body, headers = {} } = await contentOf(one);
    const path = one.path.replace(/\{\w+\}/, id);
    const answer = await fixture.callers[one.as].request(one.method, path, { body, headers });
    // Whose signature is not right is not told whether the signer is known.
    const isSigned = one.path.endsWith('{provider}') && answer.status === 401;
    const refused = isSigned || answer.status === 404 || answer.status === 400;
    const line = `${nameOf(one)} ${id.slice(0, 40)}: ${answer.status} ${answer.text}`;
    return refused && faultOf(answer) === undefined ? undefined : line;
  });
  expect(withId.length).toBeGreaterThan(20);
  expect(wrong).toEqual([]);
});

test('a query that is none is 400: operators, lists, doubles, strangers and forged cursors', async () => {
  const forged = ['{"$gt":""}', '{"__proto__":{"a":1}}', '["key_"]', 'null', '\u0000'].flatMap(
    (cursor) => [cursor, Buffer.from(cursor).toString('base64url')],
  );
  const wrong: string[] = [];
  for (const one of OPERATION_CASES) {
    if (one.method !== 'GET' || one.path.startsWith('/v1/oauth/')) continue;
    const { parameters } = operationNamed(fixture.document, nameOf(one));
    const queries = ['$where=1', 'x[$gt]=', '__proto__=1', '__proto__[admin]=1', 'constructor=1'];
    for (const { name, in: where } of parameters) {
      if (where !== 'query') continue;
      queries.push(`${name}[$gt]=`, `${name}[]=1`, `${name}=1&${name}=2`);
      if (name === 'limit') queries.push('limit=0', 'limit=-1', 'limit=201', 'limit=1e2');
      if (name === 'limit') queries.push('limit=99999999999999999999', 'limit=%00', 'limit=');
      if (name === 'cursor') {
        queries.push(...forged.map((text) => `cursor=${encodeURIComponent(text)}`));
        queries.push(`cursor=${'x'.repeat(600)}`, 'cursor=');
      }
      if (/start|end|interval|group_by|format/.test(name)) {
        queries.push(`${name}=%7B%22%24gt%22%3A%22%22%7D`, `${name}=__proto__`, `${name}=`);
      }
    }
    const target = await urlOfVictim(one);
    wrong.push(
      ...(await tryAll(queries, async (query) => {
        const answer = await fixture.callers[one.as].request('GET', `${target}?${query}`);
        const line = `${one.path}?${query.slice(0, 60)}: ${answer.status} ${answer.text.slice(0, 200)}`;
        return answer.status === 400 && faultOf(answer) === undefined ? undefined : line;
      })),
    );
  }
  expect(wrong).toEqual([]);
});

/** What a path is about: `keys`, or `admin/accounts`. */
const resourceOf = ({ path }: OperationCase) => /^\/v1\/((?:admin\/)?[^/]+)/.exec(path)?.[1] ?? '';
// Both completion paths lead to one handler.
const ODD = OPERATION_CASES.filter(({ path }) => !path.includes('llm/chat'));

// In parts: thousands of requests are many minutes on a machine that is slow.
test.each([...new Set(ODD.map(resourceOf))])(
  'an odd value in any place of %s is a success or a failure of the table, never a fault',
  async (resource) => {
    const cases = await casesOf(
      ODDITIES,
      ODD.filter((one) => resourceOf(one) === resource),
    );
    const wrong = await tryAll(cases, async (one) => {
      const { answer, line } = await sendCase(one);
      return answer.status < 500 && faultOf(answer) === undefined ? undefined : line;
    });
    expect(wrong).toEqual([]);
  },
);

test('the odd values have thousands of places', async () => {
  expect((await casesOf(ODDITIES, ODD)).length).toBeGreaterThan(12_000);
});
