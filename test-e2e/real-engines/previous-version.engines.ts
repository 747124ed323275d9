import { randomBytes } from 'node:crypto';
import type { RunningEngine } from '../engines/engine-process';
import { startKafka } from '../engines/kafka';
import { type KeyedAccount, openAccountWithKey, signIn } from '../support/accounts';
import { createApi, toNano } from '../support/api';
import { eventually } from '../support/eventually';
import { readCounter } from '../support/running-process';
import { priceOf } from '../support/simulator';
import { makeDirectory } from '../support/temporary-directory';
import type { InstanceName } from '../topologies/instances';
import {
  buildPreviousVersion,
  hasPreviousVersion,
  PREVIOUS_VERSION,
} from '../topologies/previous-version';
import { type SeparateTollgate, startSeparate } from '../topologies/separate';

jest.setTimeout(300_000);

/** Enough that each of two completions is asked for some of them. */
const ACCOUNTS = 8;
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

function requireEngine(name: string): string {
  const url = process.env[name];
  if (url === undefined || url === '') throw new Error(`${name} must name a running engine`);
  return url;
}

/** One whole answer and one stream; answers what both cost, in nano-units. */
async function completeTwice(baseUrl: string, { apiKey }: KeyedAccount): Promise<bigint> {
  const api = createApi(baseUrl, apiKey);
  const body = { model: 'sim-small', messages: MESSAGES };
  const whole = await api.request('POST', '/v1/chat/completions', { body });
  expect([whole.status, whole.text]).toEqual([200, expect.stringContaining('"usage"')]);
  const streamed = await api.request('POST', '/v1/chat/completions', {
    body: { ...body, stream: true, stream_options: { include_usage: true } },
  });
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

testWithHistory(
  `replicas of ${PREVIOUS_VERSION} and of this version work side by side, to the nano-unit`,
  async () => {
    const [program, bus] = await Promise.all([
      buildPreviousVersion(directory.path),
      startKafka({ report: () => undefined, detached: false }),
    ]);
    kafka = bus;
    const apart = await startSeparate(
      {
        kafkaBrokers: bus.url,
        redisUrl: requireEngine('TOLLGATE_TEST_REDIS'),
        mongodbUrl: requireEngine('TOLLGATE_TEST_MONGODB'),
        database: `tollgate-${randomBytes(6).toString('hex')}`,
      },
      { TOLLGATE_GATEWAY_LOGIN_PER_MINUTE: '1000' },
      {
        replicas: Object.fromEntries(TWICE.map((service) => [service, 2])),
        programs: Object.fromEntries(OLD.map((name) => [name, program])),
      },
    );
    tollgate = apart;
    await Promise.all(apart.instances.map((name) => apart.untilReady(name)));

    const [newGateway = '', oldGateway = ''] = apart.gatewayUrls;
    const { operatorEmail, operatorPassword } = apart;
    const operators = await Promise.all(
      apart.gatewayUrls.map((url) => signIn(url, operatorEmail, operatorPassword)),
    );
    const accounts: KeyedAccount[] = [];
    for (let number = 0; number < ACCOUNTS; number += 1) {
      const operator = operators[number % operators.length]?.api;
      if (operator !== undefined)
        accounts.push(await openAccountWithKey(operator, { credit: '1.00' }));
    }
    for (const account of accounts) {
      const costs = [
        await completeTwice(newGateway, account),
        await completeTwice(oldGateway, account),
      ];
      const cost = costs.reduce((sum, one) => sum + one, 0n);
      for (const url of apart.gatewayUrls) {
        const api = createApi(url, account.apiKey);
        const isSettled = (balance: Readonly<Record<string, unknown>>) =>
          toNano(balance.total_usage) === cost && toNano(balance.reserved) === 0n;
        await eventually(() => api.get('/v1/billing/balance'), isSettled);
        const statistics = () => api.get('/v1/stats');
        await eventually(statistics, ({ totals }) => {
          const { requests, spend } = totals as {
            readonly requests: number;
            readonly spend: string;
          };
          return requests === 4 && toNano(spend) === cost;
        });
      }
    }
    for (const { api } of operators) {
      expect(await api.get('/v1/admin/audit?fresh=true')).toMatchObject({ ok: true });
    }
    // Without a part of the work a replica would show nothing.
    for (const name of ['completion', 'completion-2'] as const) {
      const served = await readCounter(apart.process(name), 'tollgate_completion_requests_total');
      expect([name, served > 0]).toEqual([name, true]);
    }
  },
);
