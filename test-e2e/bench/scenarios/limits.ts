import { setTimeout as delay } from 'node:timers/promises';
import { createKey, openAccount } from '../../support/accounts';
import { type ClientResult, runClient } from '../load/client';
import { readVendor } from '../load/vendor';
import { count, formatTable, formatTargets } from '../report/table';
import { type SeparateSystem, startSeparateTollgate } from '../systems/tollgate-separate';
import { pacedBody, type Scenario, type TestBed, WHOLE } from '../test-bed';

const GATEWAYS = 4;
const TIMES_THE_LIMIT = 10;
/** The plan that is filled: requests in any sixty seconds, and at once. */
const PLAN = { id: 'smart', perMinute: 300, atOnce: 20 };
const WINDOW_SECONDS = 58;
const STREAM_EVENTS = 100;
const STREAM_EVERY_MS = 40;
const LOOK_MS = 10;

/** Whether several gateways together admit what one would. */
export const limits: Scenario = {
  about: `${GATEWAYS} gateways, ${TIMES_THE_LIMIT} times the limit of a minute and of requests at once`,
  async run(testBed) {
    const system = await startSeparateTollgate(testBed.vendorUrl, {
      replicas: { gateway: GATEWAYS },
    });
    try {
      const minute = await measureMinute(system);
      const atOnce = await measureAtOnce(system, testBed);
      const offered = PLAN.perMinute * TIMES_THE_LIMIT;
      const table = formatTable(
        ['limit', 'offered', 'admitted', 'refused', 'otherwise'],
        [
          row(`${PLAN.perMinute} a minute`, count(offered), minute),
          row(`${PLAN.atOnce} at once`, count(PLAN.atOnce * TIMES_THE_LIMIT), atOnce.results),
        ],
      );
      const share = admittedOf(minute) / PLAN.perMinute;
      const targets = formatTargets([
        {
          what: 'admitted in a minute ÷ limit',
          about: 'limits',
          value: share,
          atLeast: 0.97,
        },
        { what: 'the same, not above', about: 'limits', value: share, atMost: 1 },
        {
          what: 'most at the vendor at once ÷ limit',
          about: 'limits',
          atMost: 1,
          value: atOnce.most / PLAN.atOnce,
        },
      ]);
      const how = `One account on ${GATEWAYS} gateways with one Redis, evenly offered to all of them.`;
      return { title: 'Limits over four gateways', markdown: [how, table, targets].join('\n\n') };
    } finally {
      await system.stop();
    }
  },
};

async function openKey({ operator }: SeparateSystem): Promise<string> {
  const { owner } = await openAccount(operator, { plan: PLAN.id, credit: '100.00' });
  return (await createKey(owner.api)).secret;
}

async function measureMinute(system: SeparateSystem): Promise<readonly ClientResult[]> {
  const keys = [await openKey(system)];
  const perSecond = (PLAN.perMinute * TIMES_THE_LIMIT) / WINDOW_SECONDS / GATEWAYS;
  const requestsMax = (PLAN.perMinute * TIMES_THE_LIMIT) / GATEWAYS;
  return Promise.all(
    system.gatewayUrls.map((url) =>
      runClient({
        // Less than the limit at once, so that only the minute refuses.
        url,
        headers: {},
        keys,
        bodies: [WHOLE],
        connections: PLAN.atOnce / GATEWAYS,
        perSecond,
        requestsMax,
        seconds: WINDOW_SECONDS,
        expected: [200],
      }),
    ),
  );
}

async function measureAtOnce(system: SeparateSystem, { vendorUrl }: TestBed) {
  const keys = [await openKey(system)];
  const offered = (PLAN.atOnce * TIMES_THE_LIMIT) / GATEWAYS;
  let most = 0;
  let isOver = false;
  const watch = async () => {
    while (!isOver) {
      most = Math.max(most, (await readVendor(vendorUrl)).open);
      await delay(LOOK_MS);
    }
  };
  const watching = watch();
  const results = await Promise.all(
    system.gatewayUrls.map((url) =>
      runClient({
        url,
        headers: {},
        keys,
        bodies: [pacedBody(STREAM_EVENTS, STREAM_EVERY_MS)],
        connections: offered,
        requestsMax: offered,
        seconds: WINDOW_SECONDS,
        expected: [200],
      }),
    ),
  );
  isOver = true;
  await watching;
  return { results, most };
}

function row(name: string, offered: string, results: readonly ClientResult[]): readonly string[] {
  const of = (status: string) =>
    results.reduce((sum, { statuses }) => sum + (statuses[status] ?? 0), 0);
  const all = results.reduce((sum, { requests }) => sum + requests, 0);
  const refused = of('429');
  return [name, offered, count(of('200')), count(refused), count(all - of('200') - refused)];
}

function admittedOf(results: readonly ClientResult[]): number {
  return results.reduce((sum, { statuses }) => sum + (statuses['200'] ?? 0), 0);
}
