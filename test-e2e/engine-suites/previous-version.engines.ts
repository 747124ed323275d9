import { randomBytes } from 'node:crypto';
import type { RunningEngine } from '../engines/engine-process';
import { startKafka } from '../engines/kafka';
import { type KeyedAccount, openAccountWithKey, signIn } from '../support/accounts';
import { type Api, createApi, toNano } from '../support/api';
import { eventually } from '../support/eventually';
import { readCounter } from '../support/running-process';
import { makeDirectory } from '../support/temporary-directory';
import { directive, priceOf } from '../support/vendors/simulator';
import type { InstanceName } from '../topologies/instances';
import {
  buildPreviousVersion,
  hasPreviousVersion,
  PREVIOUS_VERSION,
} from '../topologies/previous-version';
import { requireEngine, type SeparateTollgate, startSeparate } from '../topologies/separate';

jest.setTimeout(600_000);

/** At least so many, and more until each completion was asked for one of them. */
const ACCOUNTS = 8;
const ACCOUNTS_MAX = 60;
const COMPLETIONS = ['completion', 'completion-2'] as const;
/** A stream of some 20 s, and so much of it that a part has been noted in the spool. */
const LONG_TOKENS = 2000;
const PART_CHARACTERS = 20_000;
const MESSAGES = [{ role: 'user', content: 'Hello' }];

/** In the middle of an upgrade: the second replica of each runs the version before. */
const TWICE = [
  'billing',
  'routing',
  'identity',
  'completion',
  'stats',
  'webhook',
  'gateway',
] as const;
const OLD: readonly InstanceName[] = TWICE.map((service) => `${service}-2` as const);

const directory = makeDirectory();
let tollgate: SeparateTollgate | undefined;
/** Of its own: installations that share a Kafka share its consumer groups. */
let kafka: RunningEngine | undefined;

afterAll(async () => {
  const codes = await tollgate?.stop();
  await kafka?.stop();
  directory.remove();
  expect(Object.entries(codes ?? {}).filter(([, code]) => code !== 0)).toEqual([]);
});

/** One whole answer and one stream; answers what both cost, in nano-units. */
async function completeTwice(baseUrl: string, { apiKey }: KeyedAccount): Promise<bigint> {
  const api = createApi(baseUrl, apiKey);
  const body = { model: 'sim-small', messages: MESSAGES };
  // As client libraries do: on a machine that stands still an instance is passed over for a moment.
  const ask = (asked: object) =>
    eventually(
      () => api.request('POST', '/v1/chat/completions', { body: asked }),
      ({ status }) => status !== 503,
    );
  const whole = await ask(body);
  expect([whole.status, whole.text]).toEqual([200, expect.stringContaining('"usage"')]);
  const streamed = await ask({ ...body, stream: true, stream_options: { include_usage: true } });
  expect(streamed.text).toMatch(/data: \[DONE\]\s*$/);
  const usages = [whole.text, streamed.text].map(readUsage);
  return usages.reduce((sum, usage) => sum + priceOf(usage), 0n);
}

function readUsage(text: string) {
  const [, prompt, completion] =
    /"usage":\s*\{"prompt_tokens":(\d+),"completion_tokens":(\d+)/.exec(text) ?? [];
  return { prompt: Number(prompt), completion: Number(completion) };
}

/** A clone without the history counts one skipped test. */
const testWithHistory = hasPreviousVersion() ? test : test.skip;

/** Which version an instance runs at its next start; this one's when it is not here. */
const programs: Partial<Record<InstanceName, string>> = {};
let oldProgram: string;
const accounts: KeyedAccount[] = [];
let operators: readonly Api[];

async function startHalfUpgraded(): Promise<SeparateTollgate> {
  const [program, bus] = await Promise.all([
    buildPreviousVersion(directory.path),
    startKafka({ report: () => undefined, detached: false }),
  ]);
  oldProgram = program;
  kafka = bus;
  for (const name of OLD) programs[name] = program;
  const separate = await startSeparate(
    {
      kafkaBrokers: bus.url,
      redisUrl: requireEngine('TOLLGATE_TEST_REDIS'),
      mongodbUrl: requireEngine('TOLLGATE_TEST_MONGODB'),
      database: `tollgate-${randomBytes(6).toString('hex')}`,
    },
    { TOLLGATE_GATEWAY_LOGIN_PER_MINUTE: '1000' },
    { replicas: Object.fromEntries(TWICE.map((service) => [service, 2])), programs },
  );
  tollgate = separate;
  await Promise.all(separate.instances.map((name) => separate.untilReady(name)));
  return separate;
}

function running(): SeparateTollgate {
  if (tollgate === undefined) throw new Error('nothing was started');
  return tollgate;
}

beforeAll(async () => {
  if (!hasPreviousVersion()) return;
  const { gatewayUrls, operatorEmail, operatorPassword } = await startHalfUpgraded();
  operators = await Promise.all(
    gatewayUrls.map(async (url) => (await signIn(url, operatorEmail, operatorPassword)).api),
  );
});

/** By the operators in turn. */
async function openNext(): Promise<KeyedAccount> {
  const operator = operators[accounts.length % operators.length];
  if (operator === undefined) throw new Error('nobody to open an account');
  const account = await openAccountWithKey(operator, { credit: '1.00' });
  accounts.push(account);
  return account;
}

/** How many requests each completion has ended. */
async function countEnded(): Promise<readonly number[]> {
  const { process } = running();
  const count = (name: InstanceName) =>
    readCounter(process(name), 'tollgate_completion_requests_total');
  return Promise.all(COMPLETIONS.map(count));
}

/** Until figures have come through Kafka, which may have to form a group again, milliseconds. */
const SETTLING_MS = 90_000;

const total = (counts: readonly number[]) => counts.reduce((sum, count) => sum + count, 0);

async function expectNoDrift(): Promise<void> {
  for (const operator of operators) {
    expect(await operator.get('/v1/admin/audit?fresh=true')).toMatchObject({ ok: true });
  }
}

testWithHistory(
  `replicas of ${PREVIOUS_VERSION} and of this version work side by side, to the nano-unit`,
  async () => {
    const { gatewayUrls } = running();
    const [newGateway = '', oldGateway = ''] = gatewayUrls;
    // Whom the gateway of this version asks hangs on the account's id, which is random.
    const asked = new Set<string>();
    while (accounts.length < ACCOUNTS || asked.size < COMPLETIONS.length) {
      if (accounts.length === ACCOUNTS_MAX) throw new Error('a completion is asked for no account');
      const account = await openNext();
      const before = await countEnded();
      const byNew = await completeTwice(newGateway, account);
      const after = await eventually(countEnded, (counts) => total(counts) >= total(before) + 2);
      const served = COMPLETIONS.filter((_, index) => after[index] !== before[index]);
      for (const name of served) asked.add(name);
      const cost = byNew + (await completeTwice(oldGateway, account));
      for (const url of gatewayUrls) {
        const api = createApi(url, account.apiKey);
        const isSettled = (balance: Readonly<Record<string, unknown>>) =>
          toNano(balance.total_usage) === cost && toNano(balance.reserved) === 0n;
        await eventually(() => api.get('/v1/billing/balance'), isSettled, SETTLING_MS);
        const statistics = () => api.get('/v1/stats');
        const isCounted = ({ totals }: Readonly<Record<string, unknown>>) => {
          const { requests, failed_requests, spend } = totals as {
            readonly requests: number;
            readonly failed_requests: number;
            readonly spend: string;
          };
          // One that was refused with 503 before it began counts as failed, and was asked again.
          return requests - failed_requests === 4 && toNano(spend) === cost;
        };
        await eventually(statistics, isCounted, SETTLING_MS);
      }
    }
    await expectNoDrift();
  },
);

/** Begins a stream, of which a part is here; `ended` answers whether all of it came. */
async function beginStream(
  baseUrl: string,
  { apiKey }: KeyedAccount,
): Promise<{ readonly ended: Promise<boolean> }> {
  const content = directive({ tokens: LONG_TOKENS, token_interval_ms: 10 });
  const ask = () =>
    fetch(`${baseUrl}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        model: 'sim-small',
        stream: true,
        messages: [{ role: 'user', content }],
      }),
    });
  const response = await eventually(ask, ({ status }) => status !== 503);
  expect([response.status, response.body === null]).toEqual([200, false]);
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  const decoder = new TextDecoder();
  let text = '';
  const readUntil = async (length: number): Promise<void> => {
    while (text.length < length) {
      const { done, value } = await reader.read();
      if (done) return;
      text += decoder.decode(value, { stream: true });
    }
  };
  await readUntil(PART_CHARACTERS);
  const isWhole = () => /data: \[DONE\]\s*$/.test(text);
  return { ended: readUntil(Number.POSITIVE_INFINITY).then(isWhole, isWhole) };
}

testWithHistory(
  `a completion of ${PREVIOUS_VERSION} settles what a killed one of this version left in its spool`,
  async () => {
    const separate = running();
    const [gateway = ''] = separate.gatewayUrls;
    const streams = await Promise.all(accounts.map((account) => beginStream(gateway, account)));
    await separate.kill('completion');
    programs.completion = oldProgram;
    await separate.start('completion');
    const whole = await Promise.all(streams.map(({ ended }) => ended));
    expect(whole).toContain(false);
    for (const [index, { apiKey }] of accounts.entries()) {
      const api = createApi(gateway, apiKey);
      // One charge for each of the four answers before, and one for the stream.
      const charges = () => listCharges(api);
      const [newest] = await eventually(charges, ({ length }) => length === 5, SETTLING_MS);
      const source = whole[index] ? 'exact' : 'partial';
      expect([index, newest]).toEqual([index, expect.objectContaining({ source })]);
      expect(newest?.completion_tokens).toBeGreaterThan(0);
      await eventually(
        () => api.get('/v1/billing/balance'),
        ({ reserved }) => toNano(reserved) === 0n,
        SETTLING_MS,
      );
    }
    await expectNoDrift();
    expect(separate.output('completion')).not.toContain('damaged');
  },
);

interface Charge {
  readonly kind: string;
  readonly source: string;
  readonly completion_tokens: number;
}

/** The newest first. */
async function listCharges(api: Api): Promise<readonly Charge[]> {
  const { items } = (await api.get('/v1/billing/ledger?limit=200')) as {
    readonly items: readonly Charge[];
  };
  return items.filter(({ kind }) => kind === 'charge');
}
