import type { ApiAnswer } from '../support/api';
import { type Place, withValue } from '../support/openapi/body-places';
import { OPERATION_CASES, type OperationCase, urlOf } from '../support/openapi/openapi-cases';
import { nameOf, type Operation } from '../support/openapi/openapi-document';
import { type OpenApiFixture, startOpenApiFixture } from '../support/openapi/openapi-fixture';
import type { JsonSchema } from '../support/openapi/openapi-schema';

jest.setTimeout(120_000);

/** Bodies of completions have suites of their own; what is presented is right or wrong, not short. */
const ELSEWHERE =
  /^POST \/v1\/(llm\/.*|chat\/.*|messages(\/.*)?|responses|embeddings|users\/(login|refresh)|oauth\/token)$/;

/** One bound of one value, with a value on it and one beyond. */
interface Bound {
  readonly place: Place;
  readonly rule: string;
  readonly within: unknown;
  readonly beyond: unknown;
}

let fixture: OpenApiFixture;

beforeAll(async () => {
  fixture = await startOpenApiFixture();
});

afterAll(async () => {
  expect(await fixture?.stop()).toBe(0);
});

const LONGEST_BLOCK = 'ffff:ffff:ffff:ffff:ffff:ffff:255.255.255.255/128';
let count = 0;
const letter = () => {
  count += 1;
  return String.fromCharCode(97 + (count % 26));
};

/** A text of that length that the owning service has no other reason to refuse. */
function textOf(length: number, place: Place): string {
  const name = place.findLast((step) => typeof step === 'string') ?? '';
  const pad = (start: string) => start + letter().repeat(Math.max(0, length - start.length));
  switch (name) {
    case 'email': {
      const local = letter().repeat(Math.min(64, Math.max(1, length - 2)));
      return `${local}@${letter().repeat(length - local.length - 1)}`;
    }
    case 'password':
    case 'new_password':
      return 'abc'.repeat(length).slice(0, length);
    case 'url':
    case 'base_url':
      return pad(fixture.receiver.url('/'));
    case 'allowed_ips':
      return length <= 2 ? '::'.slice(0, length) : LONGEST_BLOCK.padEnd(length);
    case 'currency':
      return 'USDX'.slice(0, length);
    default:
      return pad('');
  }
}

/** Names by which a value is more than a text of some length: the shortest is none of them. */
const LONGER_THAN_SHORTEST = ['url', 'base_url'];

function boundsOf(schema: JsonSchema, place: Place = []): readonly Bound[] {
  const {
    properties = {},
    additionalProperties,
    items,
  } = schema as {
    readonly properties?: Readonly<Record<string, JsonSchema>>;
    readonly additionalProperties?: JsonSchema | boolean;
    readonly items?: JsonSchema;
  };
  const within = Object.entries(properties).flatMap(([name, member]) =>
    boundsOf(member, [...place, name]),
  );
  const open = typeof additionalProperties === 'object' ? additionalProperties : undefined;
  return [
    ...ownBounds(schema, place),
    ...within,
    ...(open === undefined ? [] : boundsOf(open, [...place, 'note'])),
    ...(items === undefined ? [] : boundsOf(items, [...place, 0])),
  ];
}

function ownBounds(schema: JsonSchema, place: Place): readonly Bound[] {
  const bound = (rule: string, step: 1 | -1, make: (limit: number) => unknown): Bound[] => {
    const limit = schema[rule];
    if (typeof limit !== 'number') return [];
    // Nothing is shorter than nothing.
    if (limit + step < 0 && rule !== 'minimum') return [];
    return [{ place, rule, within: make(limit), beyond: make(limit + step) }];
  };
  const text = (length: number) => textOf(length, place);
  const list = (length: number) => Array.from({ length }, () => itemOf(schema.items, place));
  const hasShortest = !LONGER_THAN_SHORTEST.includes(String(place.at(-1)));
  return [
    ...(hasShortest ? bound('minLength', -1, text) : []),
    ...bound('maxLength', 1, text),
    ...bound('minimum', -1, Number),
    ...bound('maximum', 1, Number),
    ...bound('minItems', -1, list),
    ...bound('maxItems', 1, list),
  ];
}

/** An element that is fine by itself; a service may still find that it is there twice. */
function itemOf(items: unknown, place: Place): unknown {
  const { type, enum: choices } = items as JsonSchema;
  if (type === 'object') return { name: 'sim-small' };
  if (Array.isArray(choices)) return choices[0];
  return place.at(-1) === 'allowed_ips' ? '10.0.0.0/8' : `x${letter()}`;
}

const paramOf = (place: Place): string =>
  place
    .map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`))
    .join('')
    .slice(1);

async function send(one: OperationCase, place: Place, value: unknown): Promise<ApiAnswer> {
  const arranged = await one.arrange(fixture);
  const { headers = {} } = arranged;
  // An answer may be as long as all that a model reads.
  const fitting = place[0] === 'max_completion_tokens' ? { context_length: 100_000_000 } : {};
  const body = { ...(arranged.body as object), ...fitting };
  const changed = withValue(body, place, value);
  return fixture.callers[one.as].request(one.method, urlOf(one.path, arranged), {
    body: changed,
    headers,
  });
}

/** The field that is refused; undefined when it is another or none. */
const refusedOf = ({ status, body }: ApiAnswer) =>
  status === 400 ? (body?.error?.param ?? '') : undefined;

const cases = OPERATION_CASES.filter(
  (one) => ['POST', 'PUT', 'PATCH'].includes(one.method) && !ELSEWHERE.test(nameOf(one)),
).map((one) => [nameOf(one), one] as const);

function bodySchemaOf(name: string): JsonSchema {
  const found = fixture.document.operations.find((each: Operation) => nameOf(each) === name);
  return found?.body?.content['application/json']?.schema ?? {};
}

/** What has to be the name of something that is there: no bound makes it one. */
const OF_CHANNELS = ['models[0].name', 'owner_account_id'];
const REFERENCES: Readonly<Record<string, readonly string[]>> = {
  'POST /v1/admin/channels': OF_CHANNELS,
  'PUT /v1/admin/channels/{id}': OF_CHANNELS,
  'PATCH /v1/admin/channels/{id}': OF_CHANNELS,
  'POST /v1/admin/channels/{id}/health': ['model'],
  'PUT /v1/admin/models/{id}': ['name'],
};

test.each(cases)(
  '%s takes every value on its documented bounds and none beyond',
  async (name, one) => {
    const wrong: string[] = [];
    for (const { place, rule, within, beyond } of boundsOf(bodySchemaOf(name))) {
      const param = paramOf(place);
      if (REFERENCES[name]?.includes(param) !== true) {
        const taken = refusedOf(await send(one, place, within));
        // A service names the list of which the edge names the element.
        const named = [param, param.replace(/\[\d+\]$/, '')];
        if (taken !== undefined && named.includes(taken))
          wrong.push(`${param}: ${rule} is refused`);
      }
      const refused = refusedOf(await send(one, place, beyond));
      if (refused !== param) wrong.push(`${param}: beyond ${rule} names ${refused}`);
    }
    expect(wrong).toEqual([]);
  },
);

const KEY = 'POST /v1/keys';
const CHANNEL = 'POST /v1/admin/channels';
const MODEL = 'POST /v1/admin/models';

/** Bounds that the document writes as patterns or words. */
const PATTERNS: readonly (readonly [string, Place, unknown, unknown])[] = [
  [KEY, ['name'], 'a key', 'a\u0007key'],
  [KEY, ['name'], 'a\u200dkey', 'a\u202ekey'],
  [CHANNEL, ['name'], 'a channel', 'a\u200bchannel'],
  [KEY, ['models', 0], 'x'.repeat(128), 'x'.repeat(129)],
  [KEY, ['pools', 0], 'self', '-x'],
  [KEY, ['max_budget'], '0.000000001', '0.00'],
  [KEY, ['metadata'], toMembers(16), toMembers(17)],
  [KEY, ['metadata'], { ['x'.repeat(64)]: 'x' }, { ['x'.repeat(65)]: 'x' }],
  [KEY, ['metadata'], { _x: 'x' }, { __x: 'x' }],
  [KEY, ['metadata'], { x$: 'x' }, { $x: 'x' }],
  [KEY, ['metadata'], { 'x-y': 'x' }, { 'x.y': 'x' }],
  [KEY, ['metadata'], {}, { '': 'x' }],
  [CHANNEL, ['models', 0, 'upstream_name'], '~'.repeat(200), '~'.repeat(201)],
  [CHANNEL, ['models', 0, 'upstream_name'], 'x', 'x y'],
  [CHANNEL, ['groups', 0], 'x'.repeat(64), 'x'.repeat(65)],
  [CHANNEL, ['groups', 0], 'a-1', 'A'],
  [CHANNEL, ['groups', 0], 'selfish', 'self'],
  [CHANNEL, ['capabilities', 0], 'x'.repeat(64), 'x'.repeat(65)],
  [CHANNEL, ['capabilities', 0], 'a_1', 'a-1'],
  [CHANNEL, ['credential'], '', 'two words'],
  [MODEL, ['name'], 'a.b-c_d', 'A'],
  [MODEL, ['capabilities', 0], 'x'.repeat(64), 'x'.repeat(65)],
  [MODEL, ['pricing', 'prompt'], '0', '-1'],
  ['POST /v1/users', ['password'], '\u{1f600}bcdefgh', '\u{1f600}bcdefg'],
  ['POST /v1/users', ['password'], `ab${'\u00e9'.repeat(511)}`, `abc${'\u00e9'.repeat(511)}`],
  ['POST /v1/admin/accounts', ['plan'], 'smart', 'unknown'],
  ['POST /v1/admin/accounts', ['owner'], { email: 'o@w', password: 'abcdefgh' }, undefined],
  ['POST /v1/admin/accounts/{id}/credits', ['amount'], '0.000000001', '0.00'],
  ['POST /v1/admin/accounts/{id}/adjustments', ['amount'], '0.000000001', '0.00'],
  ['POST /v1/admin/accounts/{id}/adjustments', ['reason'], 'x', ' '],
];

function toMembers(length: number): object {
  return Object.fromEntries(Array.from({ length }, (_, index) => [`name-${index}`, 'x']));
}

test.each(PATTERNS)(
  '%s takes at %j what its form allows and nothing else',
  async (name, place, good, bad) => {
    const one = OPERATION_CASES.find((each) => nameOf(each) === name);
    if (one === undefined) throw new Error(name);
    const accepted = await send(one, place, good);
    expect([accepted.status, accepted.body?.error]).toEqual([one.status, null]);
    expect(refusedOf(await send(one, place, bad))).toBe(paramOf(place));
  },
);

test('every documented event can be subscribed to, and no other', async () => {
  const { properties } = bodySchemaOf('POST /v1/webhooks') as {
    readonly properties: { readonly events: { readonly items: { readonly enum: string[] } } };
  };
  const one = OPERATION_CASES.find((each) => nameOf(each) === 'POST /v1/webhooks');
  if (one === undefined) throw new Error('no case');
  const events = properties.events.items.enum;
  expect(events.length).toBeGreaterThan(10);
  const answer = await send(one, ['events'], events);
  expect([answer.status, answer.body?.data?.events]).toEqual([201, events]);
  expect(refusedOf(await send(one, ['events'], ['key.made-up']))).toBe('events[0]');
});
