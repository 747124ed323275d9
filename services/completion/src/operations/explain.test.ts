import { type AppError, nano, seededRandom, ZERO_NANO } from '@tollgate/core';
import { createFakeClock } from '@tollgate/testkit';
import type { RouteChannel } from '../routing/candidate';
import { createRouteTable, type RouteTable } from '../routing/route-table';
import { exampleRequest } from '../testing/run-fixture';
import { exampleCall } from '../testing/vendor-call';
import { createChannelMonitor } from '../vendors/health/channel-monitor';
import { explainRoute } from './explain';
import { planRequest } from './plan';
import { createTieBreakers } from './to-route-query';

/** Ten thousand tables are much work for a machine that is busy. */
jest.setTimeout(180_000);

const MODELS = ['small', 'middle', 'large'];
const NAMES = ['auto', 'auto-cheap', 'auto-fast', 'small', 'large'];
const ATTEMPTS_MAX = 3;
const BOUNDS = { failurePercent: 50, callsMin: 4, openMs: 1000, breakersMax: 100 };

type Random = () => number;
const below = (random: Random, bound: number) => Math.floor(random() * bound);

function randomChannel(random: Random, index: number): RouteChannel {
  const { candidate } = exampleCall();
  const models = MODELS.filter(() => random() < 0.7);
  return {
    ...candidate.channel,
    id: `chn_${index}`,
    models: models.map((name) => ({ name, upstreamName: name, healthy: random() < 0.8 })),
    priority: below(random, 3),
    weight: 1 + below(random, 10),
    concurrencyMax: below(random, 3),
    capabilities: random() < 0.7 ? ['tools'] : [],
    firstTokenMs: random() < 0.5 ? below(random, 900) : null,
  };
}

function randomTable(random: Random) {
  const { candidate } = exampleCall();
  const channels = Array.from({ length: 1 + below(random, 6) }, (_, index) =>
    randomChannel(random, index),
  );
  const models = MODELS.map((name) => {
    const price = nano(BigInt(below(random, 5)) * 1_000_000n);
    return {
      ...candidate.model,
      name,
      prices: {
        prompt: price,
        completion: price,
        cachedPrompt: random() < 0.5 ? price : ZERO_NANO,
      },
      completionTokensMax: 100 + below(random, 400),
    };
  });
  return createRouteTable(channels, models);
}

// The very calls that a busy process makes: some work, some fail, some are limited, some still run.
async function randomPast(random: Random, table: ReturnType<typeof randomTable>) {
  const clock = createFakeClock();
  const monitor = createChannelMonitor(BOUNDS, clock);
  monitor.setChannels(table.channels);
  const candidates = [...table.channelSets.values()].flatMap((set) => set.candidates);
  for (let call = 0; call < 12; call += 1) {
    const candidate = candidates[below(random, candidates.length)];
    if (candidate === undefined || monitor.healthOf(candidate).obstacle !== undefined) continue;
    const monitoredCall = monitor.enter(candidate, false, '');
    if (random() < 0.1) continue;
    monitoredCall.leave();
    const firstTokenMs = below(random, 900);
    const chance = random();
    if (chance < 0.5) monitoredCall.report({ outcome: 'success', latencyMs: 1, firstTokenMs });
    else if (chance < 0.9) monitoredCall.report({ outcome: 'failure', latencyMs: 1 });
    else monitoredCall.report({ outcome: 'rate_limited', latencyMs: 1, cooldownMs: 500 });
    monitor.noteSpeed(candidate, 100, 1 + below(random, 5000));
  }
  return monitor;
}

it('the next call takes what was explained first, over 10,000 random tables', async () => {
  const random = seededRandom(2026);
  let [agreed, refused, rejections, unexplained, sticky, figuresTold] = [0, 0, 0, 0, 0, 0];
  const disagreed: number[] = [];
  const refusals = new Set<string>();
  for (let round = 0; round < 10_000; round += 1) {
    const table = randomTable(random);
    const monitor = await randomPast(random, table);
    const vendors = { healthOf: monitor.healthOf };
    const clock = { monotonicMs: () => 0 };
    const deps = {
      routeTable: () => table,
      vendors,
      tieBreakers: createTieBreakers(random),
      clock,
    };
    const withTools = random() < 0.3;
    const nameAt = () => NAMES[below(random, NAMES.length)] ?? 'auto';
    const fallbackModels = random() < 0.2 ? [nameAt(), nameAt()] : [];
    const content = 'x'.repeat(random() < 0.2 ? 5000 : 10);
    const request = exampleRequest({
      model: nameAt(),
      fallbackModels,
      messages: Buffer.from(JSON.stringify([{ role: 'user', content }])),
      maxTokens: random() < 0.5 ? below(random, 500) + 1 : undefined,
      capabilities: withTools ? ['tools'] : [],
      capabilityParam: withTools ? 'tools' : '',
      costMax: random() < 0.3 ? nano(BigInt(below(random, 600))) : undefined,
    });
    const explained = explainRoute(deps, request);
    const eligible = explained.filter((each) => each.eligible).map((each) => each.candidate);
    unexplained += explained.filter((each) => each.reasons.join() === '').length;
    sticky += explained.filter((each) => each.reasons.join().includes('stay together')).length;
    rejections += explained.length - eligible.length;
    const rejected = explained.filter((each) => !each.eligible);
    figuresTold += rejected.filter(({ reasons }) => /priority|weight/.test(reasons.join())).length;
    let chosen: readonly unknown[] = [];
    try {
      chosen = planRequest(deps, request, ATTEMPTS_MAX).candidates.map(
        ({ candidate }) => candidate,
      );
      agreed += 1;
    } catch (error) {
      refusals.add((error as AppError).code);
      refused += 1;
    }
    // With fallbacks the later attempts are shared among the names.
    const first = eligible.slice(0, fallbackModels.length > 0 ? 1 : ATTEMPTS_MAX);
    const isSame = first.every((each, place) => each === chosen[place]);
    const isAll = fallbackModels.length > 0 || first.length === chosen.length;
    if (!isSame || !isAll) disagreed.push(round);
  }
  expect({ disagreed, unexplained }).toEqual({ disagreed: [], unexplained: 0 });
  // Customers are shown why a model cannot serve, and see no channels.
  expect(figuresTold).toBe(0);
  expect([...refusals].sort()).toEqual(['COST_LIMIT', 'SERVICE_UNAVAILABLE', 'VALIDATION_ERROR']);
  // Both kinds came often enough to mean something.
  expect(Math.min(agreed - 5_000, refused - 500, rejections - 5_000, sticky - 500)).toBeGreaterThan(
    0,
  );
});

/** Every channel of the table is well. */
const depsOf = (table: RouteTable) => ({
  routeTable: () => table,
  tieBreakers: createTieBreakers(() => 0),
  vendors: { healthOf: () => ({ obstacle: undefined, firstTokenMs: undefined }) },
  clock: { monotonicMs: () => 0 },
});

it.each(['auto', 'auto-cheap', 'auto-fast', 'small'])(
  'refuses a key that may use no model of the name %s',
  (model) => {
    const table = randomTable(() => 0.5);
    const deps = depsOf(table);
    const request = exampleRequest({ model });
    const narrow = { ...request, caller: { ...request.caller, models: ['another'] } };
    expect(explainRoute(deps, request).length).toBeGreaterThan(0);
    let refusal: unknown;
    try {
      explainRoute(deps, narrow);
    } catch (error) {
      refusal = error;
    }
    expect(refusal).toMatchObject({ code: 'FORBIDDEN', param: 'model' });
  },
);

it("estimates nothing for the account's own channels, and the catalogue's price for others", () => {
  const { candidate } = exampleCall();
  const price = nano(1_000_000n);
  const prices = { prompt: price, completion: price, cachedPrompt: price };
  const channels = [
    { ...candidate.channel, id: 'chn_shared' },
    { ...candidate.channel, id: 'chn_own', ownerAccountId: 'acc_1' },
  ];
  const table = createRouteTable(channels, [{ ...candidate.model, prices }]);
  const deps = depsOf(table);
  const estimatesOf = (model: string) =>
    explainRoute(deps, exampleRequest({ model })).map(({ estimate }) => estimate);
  expect(estimatesOf('self:small')).toEqual([ZERO_NANO]);
  const [estimate] = estimatesOf('small');
  expect(estimate).toBeGreaterThan(ZERO_NANO);
});

it('names a candidate once, and explains it by the name that stands for it first', () => {
  const table = randomTable(() => 0.5);
  const deps = depsOf(table);
  const explain = (model: string, fallbackModels: readonly string[] = []) =>
    explainRoute(deps, exampleRequest({ model, fallbackModels }));
  const names = (model: string, fallbackModels: readonly string[] = []) =>
    explain(model, fallbackModels).map(({ candidate, reasons }) => ({ candidate, reasons }));
  const small = names('small');
  const cheap = names('auto-cheap');
  expect(cheap.length).toBeGreaterThan(small.length);
  expect(names('auto-cheap', ['small', 'auto'])).toEqual(cheap);
  const isSmall = ({ candidate }: (typeof cheap)[number]) => candidate.model.name === 'small';
  expect(names('small', ['auto-cheap'])).toEqual([
    ...small,
    ...cheap.filter((each) => !isSmall(each)),
  ]);
});
