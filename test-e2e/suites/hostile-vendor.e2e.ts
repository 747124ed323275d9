import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type KeyedAccount, openAccountWithKey } from '../support/accounts';
import { type ApiAnswer, toNano } from '../support/api';
import { faultOf } from '../support/error-table';
import { eventually } from '../support/eventually';
import { fetchDocumented } from '../support/openapi/documented-answers';
import { REPOSITORY } from '../support/repository';
import { directive, priceOf, simulatorUrl, untilRouted } from '../support/vendors/simulator';
import { type RunningTollgate, startTollgate } from '../topologies/start-tollgate';

jest.setTimeout(240_000);

const MODEL = 'hostile-model';
const TOKENS = 12;
const PARALLEL = 6;
/** Far above every bound that is set below, far below what a hang would take. */
const HANG_MS = 90_000;

/**
 * What becomes of a request. `exact`: answered, the vendor's counts are charged. `counted`:
 * answered, our count of the text is charged. `partial`: a stream that ends with an error frame;
 * what was delivered is charged. `silent`: the same before any text came, which costs nothing.
 * `free`: the status and code of a failure that costs nothing.
 */
type Outcome =
  | 'exact'
  | 'counted'
  | { readonly partial: string }
  | { readonly silent: string }
  | { readonly free: readonly [status: number, code: string] };

const REFUSED: Outcome = { free: [400, 'VALIDATION_ERROR'] };
const FAILED: Outcome = { free: [502, 'UPSTREAM_ERROR'] };
const LATE: Outcome = { free: [504, 'UPSTREAM_TIMEOUT'] };
const BUSY: Outcome = { free: [503, 'SERVICE_UNAVAILABLE'] };
const BROKEN_OFF: Outcome = { partial: 'UPSTREAM_ERROR' };
const BROKEN_OFF_AT_ONCE: Outcome = { silent: 'UPSTREAM_ERROR' };
const FELL_SILENT: Outcome = { partial: 'UPSTREAM_TIMEOUT' };

/** Every failure mode of the vendor stand-in: as a whole answer, and as a stream. */
const MODES: Readonly<Record<string, readonly [whole: Outcome, stream: Outcome]>> = {
  'status:400': [REFUSED, REFUSED],
  'status:401': [FAILED, FAILED],
  'status:401_echo': [FAILED, FAILED],
  'status:403': [FAILED, FAILED],
  'status:404': [FAILED, FAILED],
  'status:408': [LATE, LATE],
  'status:409': [FAILED, FAILED],
  'status:413': [REFUSED, REFUSED],
  'status:422': [REFUSED, REFUSED],
  'status:429': [BUSY, BUSY],
  'status:500': [FAILED, FAILED],
  'status:502': [FAILED, FAILED],
  'status:503': [FAILED, FAILED],
  'status:504': [LATE, LATE],
  'retry_after:year': [BUSY, BUSY],
  'reset:before_head': [FAILED, FAILED],
  'reset:after_head': [FAILED, FAILED],
  'reset:mid_stream': [FAILED, BROKEN_OFF],
  'reset:after_last_token': [FAILED, BROKEN_OFF],
  'hang:before_head': [LATE, LATE],
  'hang:after_head': [LATE, LATE],
  'hang:mid_stream': [LATE, FELL_SILENT],
  'usage:none': ['counted', 'counted'],
  'usage:twice': ['exact', 'exact'],
  'usage:early': ['exact', 'exact'],
  'usage:zero': ['counted', 'counted'],
  'usage:negative': ['counted', 'counted'],
  'usage:fraction': ['counted', 'counted'],
  'usage:nan': [FAILED, 'counted'],
  'usage:null': ['counted', 'counted'],
  'usage:string': ['counted', 'counted'],
  'usage:absurd': ['counted', 'counted'],
  'done:twice': ['exact', 'exact'],
  'done:none': ['exact', 'exact'],
  'body:empty': ['exact', 'exact'],
  'body:html': [FAILED, FAILED],
  'body:long_line': [FAILED, BROKEN_OFF_AT_ONCE],
  'body:split_utf8': ['exact', 'exact'],
  'body:invalid_json': [FAILED, BROKEN_OFF],
  'body:error_frame': [FAILED, BROKEN_OFF],
  'finish:content_filter': ['exact', 'exact'],
  'finish:length': ['exact', 'exact'],
  'frames:joined': ['exact', 'exact'],
  'frames:crlf': ['exact', 'exact'],
  'frames:comments': ['exact', 'exact'],
};

interface Usage {
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
}

/** A request with all that the caller saw of it. */
interface Seen {
  readonly mode: string;
  readonly stream: boolean;
  readonly requestId: string;
  readonly answer: ApiAnswer;
  /** The payloads of a stream's events, the last one first. */
  readonly events: readonly string[];
}

interface Charge {
  readonly seq: number;
  readonly kind: string;
  readonly amount: string;
  readonly request_id: string | null;
  readonly source: string;
  readonly completion_tokens: number;
  readonly prompt_tokens: number;
}

let tollgate: RunningTollgate;
let account: KeyedAccount;
let seen: readonly Seen[] = [];
let charges: readonly Charge[] = [];

beforeAll(async () => {
  tollgate = await startTollgate({
    // Only a vendor that hangs is to reach these, however slow the machine.
    TOLLGATE_COMPLETION_CONNECT_TIMEOUT_MS: '15000',
    TOLLGATE_COMPLETION_FIRST_TOKEN_TIMEOUT_MS: '15000',
    TOLLGATE_COMPLETION_IDLE_TIMEOUT_MS: '15000',
    TOLLGATE_COMPLETION_TOTAL_TIMEOUT_MS: '30000',
    // A stream that never begins has its status as long as nothing was sent.
    TOLLGATE_GATEWAY_STREAM_HEAD_WAIT_MS: '60000',
    // The table wants every failure from the vendor itself, not from a breaker that has seen it.
    TOLLGATE_COMPLETION_BREAKER_CALLS_MIN: '10000',
    // One limited request must not keep the next one from the vendor.
    TOLLGATE_COMPLETION_RETRY_AFTER_MS_MAX: '0',
  });
  const { api } = tollgate;
  await api.post('/v1/admin/models', {
    name: MODEL,
    context_length: 100_000,
    max_completion_tokens: 4096,
    // Those of the small model, which `priceOf` has.
    pricing: { prompt: '0.10', completion: '0.40' },
  });
  await api.post('/v1/admin/channels', {
    name: 'hostile',
    type: 'openai',
    base_url: `${await simulatorUrl(api)}/v1`,
    credential: 'the-vendor-credential',
    models: [{ name: MODEL }],
    auto_disable: false,
  });
  account = await openAccountWithKey(api, { name: 'hostile', credit: '10.00' });
  await untilRouted(account.api, MODEL);
  seen = await askEverything();
  charges = await settledCharges();
});

afterAll(async () => {
  // What is found must not leave it running: others would share its part of the events.
  const output = tollgate?.process.output();
  expect(await tollgate?.stop()).toBe(0);
  expect(output).not.toMatch(/"level":"error"|INTERNAL_ERROR/);
});

async function askEverything(): Promise<readonly Seen[]> {
  const queue = Object.keys(MODES).flatMap((mode) => [
    { mode, stream: false },
    { mode, stream: true },
  ]);
  const done: Seen[] = [];
  const work = async () => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      done.push(await ask(next.mode, next.stream));
    }
  };
  await Promise.all(Array.from({ length: PARALLEL }, work));
  return done;
}

async function ask(mode: string, stream: boolean): Promise<Seen> {
  const settings = { tokens: TOKENS, fail: mode };
  const response = await fetchDocumented(`${tollgate.baseUrl}/v1/chat/completions`, {
    method: 'POST',
    signal: AbortSignal.timeout(HANG_MS),
    headers: { authorization: `Bearer ${account.apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      model: MODEL,
      stream,
      ...(stream ? { stream_options: { include_usage: true } } : {}),
      messages: [{ role: 'user', content: directive(settings) }],
    }),
  });
  const text = await response.text();
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') ?? false;
  const events = isStream ? text.split('\n\n').filter((event) => event.startsWith('data: ')) : [];
  const body = isStream ? undefined : (JSON.parse(text) as ApiAnswer['body']);
  return {
    mode,
    stream,
    requestId: response.headers.get('x-request-id') ?? '',
    answer: { status: response.status, headers: response.headers, text, body },
    events: events.map((event) => event.slice('data: '.length)).reverse(),
  };
}

/** The ledger's charges once nothing is reserved any more. */
async function settledCharges(): Promise<readonly Charge[]> {
  await eventually(
    () => account.api.get('/v1/billing/balance'),
    (balance) => toNano(balance.reserved) === 0n,
    60_000,
  );
  const { items } = (await account.api.get('/v1/billing/ledger?limit=200')) as {
    readonly items: readonly Charge[];
  };
  return items.filter((item) => item.kind === 'charge');
}

const find = (mode: string, stream: boolean): Seen => {
  const found = seen.find((one) => one.mode === mode && one.stream === stream);
  if (found === undefined) throw new Error(`${mode} was not tried`);
  return found;
};
const chargeOf = ({ requestId }: Seen) => charges.filter((one) => one.request_id === requestId);
const paid = ({ amount }: Charge) => {
  const nano = toNano(amount);
  return nano < 0n ? -nano : nano;
};

const priceOfEntry = ({ prompt_tokens: prompt, completion_tokens: completion }: Usage) =>
  priceOf({ prompt, completion });

/** What the answer says was used: in its body, or in a stream's last frame but one. */
function usageOf({ answer, events }: Seen): Usage {
  const text = events.length === 0 ? answer.text : (events[1] ?? '');
  return (JSON.parse(text) as { readonly usage: Usage }).usage;
}

const cases = Object.entries(MODES).flatMap(([mode, [whole, stream]]) => [
  { mode, stream: false, outcome: whole, way: 'as a whole answer' },
  { mode, stream: true, outcome: stream, way: 'as a stream' },
]);

test('the table above has every failure mode that the vendor stand-in documents', () => {
  const readme = readFileSync(join(REPOSITORY, 'services/simulator/README.md'), 'utf8');
  const table = readme.slice(readme.indexOf('### Failure modes'));
  const documented = [...table.matchAll(/^\| `([a-z_]+:\w+)` /gm)].map(([, name = '']) => name);
  expect(documented.length).toBeGreaterThan(40);
  expect(Object.keys(MODES).sort()).toEqual(documented.sort());
});

test.each(cases)('$mode $way ends as the contract says', ({ mode, stream, outcome }) => {
  const { answer, events } = find(mode, stream);
  const { status, text, body } = answer;
  if (typeof outcome === 'object' && 'free' in outcome) {
    expect([status, body?.error?.code, faultOf(answer)]).toEqual([...outcome.free, undefined]);
    return;
  }
  expect([status, text.slice(0, 300)]).toEqual([200, text.slice(0, 300)]);
  if (typeof outcome === 'object') {
    const frame = JSON.parse(events[0] ?? '') as ApiAnswer['body'];
    expect(frame).toMatchObject({
      success: false,
      data: null,
      error: { code: 'partial' in outcome ? outcome.partial : outcome.silent },
    });
    expect(text).not.toContain('[DONE]');
    expect(text.endsWith('\n\n')).toBe(true);
  } else if (stream) {
    expect(events[0]).toBe('[DONE]');
    expect(text.match(/\[DONE\]/g)).toHaveLength(1);
    expect(text).not.toContain('"error"');
    expect(text.match(/"finish_reason":"\w+"/g)).toHaveLength(1);
    expect(text.match(/"usage":\{/g)).toHaveLength(1);
  } else expect(JSON.parse(text)).toMatchObject({ object: 'chat.completion' });
});

test.each(cases)(
  '$mode $way has one ledger entry, and it is right',
  ({ mode, stream, outcome }) => {
    const request = find(mode, stream);
    const entries = chargeOf(request);
    expect(entries.map(({ source }) => source)).toEqual([
      typeof outcome === 'string' ? outcome : 'partial' in outcome ? 'partial' : 'none',
    ]);
    const [entry] = entries;
    if (entry === undefined) throw new Error('no entry');
    // Whatever is charged is the price of the tokens that the ledger names.
    expect(paid(entry)).toBe(priceOfEntry(entry));
    if (typeof outcome === 'string') {
      const usage = usageOf(request);
      const { prompt_tokens, completion_tokens } = entry;
      expect({ prompt_tokens, completion_tokens }).toEqual({
        prompt_tokens: usage.prompt_tokens,
        completion_tokens: usage.completion_tokens,
      });
      const cost = request.answer.headers.get('x-tollgate-cost');
      expect(cost === null ? undefined : toNano(cost)).toBe(stream ? undefined : paid(entry));
      // Tokenizers differ by small factors; vendors that lie differ by more.
      expect(completion_tokens).toBeLessThanOrEqual(TOKENS * 4);
      expect(completion_tokens).toBeGreaterThanOrEqual(mode === 'body:empty' ? 0 : 1);
    } else if ('partial' in outcome) {
      expect(entry.completion_tokens).toBeGreaterThan(0);
      expect(entry.completion_tokens).toBeLessThanOrEqual(TOKENS * 4);
    } else {
      expect(entry).toMatchObject({ prompt_tokens: 0, completion_tokens: 0 });
    }
  },
);

test('a vendor that asks for a year of patience is not passed on', () => {
  for (const stream of [false, true]) {
    const { headers } = find('retry_after:year', stream).answer;
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(60);
  }
});

test('a failure after which work may have been spent tells clients not to retry', () => {
  const spent = ['hang:before_head', 'hang:after_head', 'reset:after_head', 'body:invalid_json'];
  for (const mode of [...spent, 'reset:before_head', 'body:html', 'body:error_frame']) {
    const { headers } = find(mode, false).answer;
    expect([mode, headers.get('x-should-retry')]).toEqual([mode, 'false']);
  }
});

test('characters that arrive in halves arrive whole', () => {
  for (const stream of [false, true]) {
    expect(find('body:split_utf8', stream).answer.text).not.toContain('\ufffd');
  }
});

test('nothing that a vendor says in a failure reaches the caller', () => {
  const failures = seen.filter(({ answer }) => answer.status >= 400);
  const texts = failures.map(({ answer }) => answer.text).join('\n');
  expect(texts).not.toMatch(/the-vendor-credential|Something broke inside|<html|invalid_api_key/i);
});

test('the books agree: one entry for each request, no drift, nothing negative or reserved', async () => {
  expect(charges).toHaveLength(seen.length);
  expect(new Set(charges.map((one) => one.request_id)).size).toBe(seen.length);
  const balance = await account.api.get('/v1/billing/balance');
  const sum = charges.reduce((total, one) => total + paid(one), 0n);
  expect(sum).toBe(toNano(balance.total_usage));
  expect(toNano(balance.reserved)).toBe(0n);
  expect(toNano(balance.balance)).toBe(toNano(balance.total_credits) - sum);
  expect(toNano(balance.available)).toBeGreaterThan(0n);
  expect(await tollgate.api.get('/v1/admin/audit?fresh=true')).toMatchObject({
    ok: true,
    findings: [],
  });
});

test('after all that the vendor is used as if nothing had been', async () => {
  const body = { model: MODEL, max_tokens: 5, messages: [{ role: 'user', content: 'Hello' }] };
  const answer = await account.api.request('POST', '/v1/chat/completions', { body });
  expect(answer.status).toBe(200);
});
