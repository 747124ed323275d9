import type { Api } from '../support/api';
import type { Attempt } from './attempt';
import type { FaultSystem } from './fault-system';
import { reconcile } from './reconcile';

/** More than a call of a function takes arguments. */
const EXCHANGES = 150_000;
const NOTHING = '0.00';

test('a run of any length is compared after its end', async () => {
  const attempts = Array.from({ length: EXCHANGES }, (_, number) => refused(number));
  const system: Partial<FaultSystem> = {
    elapsedMs: () => EXCHANGES + 5,
    outages: () => [],
    crashes: () => [],
    deliveries: async () => [],
    operator: async () => ({ get: async () => AUDIT }) as Partial<Api> as Api,
  };
  const { settledMs, violations } = await reconcile(system as FaultSystem, [], attempts);
  expect({ settledMs, violations }).toEqual({ settledMs: 5, violations: [] });
});

const AUDIT = {
  ok: true,
  drift: NOTHING,
  reserved: NOTHING,
  absorbed: NOTHING,
  overrun: NOTHING,
  findings: [],
};

/** An exchange that left nothing behind. */
function refused(number: number): Attempt {
  return {
    tag: `t${number}`,
    accountId: 'acc_1',
    keyId: 'key_1',
    stream: true,
    fromMs: number,
    untilMs: number + 1,
    status: 402,
    requestId: `req_${number}`,
    errorCode: 'INSUFFICIENT_BALANCE',
    retryAfter: undefined,
    tokens: 0,
    finished: false,
    usage: undefined,
    left: false,
    hung: false,
  };
}
