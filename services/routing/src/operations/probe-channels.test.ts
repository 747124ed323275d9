import { type AccountId, AppError, type ChannelId } from '@tollgate/core';
import { createFakeClock, createRecordingLogger, type FakeClock } from '@tollgate/testkit';
import { type Channel, UNKNOWN_HEALTH } from '../domain/channel';
import { channelWith } from '../testing/fixtures';
import { createProbeChannels } from './probe-channels';

const INTERVAL_MS = 60_000;

let clock: FakeClock;
let channels: Channel[];
let checked: string[];
let check: (channelId: string, signal: AbortSignal) => Promise<{ readonly healthy: boolean }>;

beforeEach(() => {
  clock = createFakeClock();
  channels = [];
  checked = [];
  check = async () => ({ healthy: false });
});

function disabled(id: string, over: Partial<Channel> = {}): Channel {
  const models = [{ name: 'm', upstreamName: 'm' }];
  return channelWith({ id: id as ChannelId, status: 'auto_disabled', models, ...over });
}

function createRound(logger = createRecordingLogger(), ownership: 'shared' | 'owned' = 'shared') {
  const stop = new AbortController();
  const round = createProbeChannels({
    clock,
    logger,
    ownership,
    probeIntervalMs: INTERVAL_MS,
    channels: { listAll: async () => channels },
    checkHealth: (id, model, signal) => {
      checked.push(model === '' ? id : `${id} ${model}`);
      return check(id, signal);
    },
  });
  return { run: () => round(stop.signal), stop, logger };
}

test('a channel that cannot even be asked holds up no other one', async () => {
  channels = ['bad', 'b', 'c'].map((id) => disabled(id));
  check = async (id) => {
    if (id === 'bad') throw new AppError('INTERNAL_ERROR', { internalMessage: 'sealed' });
    return { healthy: false };
  };
  const { run, logger } = createRound();
  await run();
  expect(checked).toEqual(['bad', 'b', 'c']);
  expect(logger.lines.map(({ fields }) => fields.channelId)).toEqual(['bad']);
});

test('dead channels of accounts keep no shared one waiting', async () => {
  const own = Array.from({ length: 20 }, (_, index) =>
    disabled(`own${index}`, { ownerAccountId: 'acc_1' as AccountId }),
  );
  channels = [...own, disabled('shared')];
  await createRound().run();
  expect(checked).toEqual(['shared']);
  await createRound(createRecordingLogger(), 'owned').run();
  expect(checked.slice(1)).toHaveLength(20);
});

test('channels are checked beside each other, and no more than 16 at once', async () => {
  channels = Array.from({ length: 40 }, (_, index) => disabled(`c${index}`));
  const answers: (() => void)[] = [];
  check = () => new Promise((resolve) => answers.push(() => resolve({ healthy: false })));
  const running = createRound().run();
  await clock.advance(0);
  expect(checked).toHaveLength(16);
  while (answers.length > 0) {
    answers.shift()?.();
    await clock.advance(0);
  }
  await running;
  expect(checked).toHaveLength(40);
});

test('a channel that stays dead is checked more and more rarely', async () => {
  channels = [disabled('dead')];
  const { run } = createRound();
  const rounds: number[] = [];
  for (let round = 0; round < 32; round += 1) {
    await run();
    if (checked.splice(0).length > 0) rounds.push(round);
    await clock.advance(INTERVAL_MS);
  }
  expect(rounds).toEqual([0, 1, 3, 7, 15, 23, 31]);
});

test('a channel that somebody changed is checked at once', async () => {
  channels = [disabled('c')];
  const { run } = createRound();
  for (let round = 0; round < 4; round += 1) {
    await run();
    await clock.advance(INTERVAL_MS);
  }
  checked = [];
  channels = [disabled('c', { updatedAtMs: 2 })];
  await run();
  expect(checked).toEqual(['c']);
});

test('a round that is stopped begins no further check, and ends the running ones', async () => {
  channels = Array.from({ length: 40 }, (_, index) => disabled(`c${index}`));
  check = (_, signal) =>
    new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(new Error('stopped')));
    });
  const { run, stop, logger } = createRound();
  const running = run();
  await clock.advance(0);
  stop.abort();
  await running;
  expect(checked).toHaveLength(16);
  expect(logger.lines).toEqual([]);
});

test('channels without models, and those that people disabled, are left alone', async () => {
  channels = [disabled('a', { models: [] }), disabled('b', { status: 'disabled' })];
  await createRound().run();
  expect(checked).toEqual([]);
});

describe('an enabled channel whose model failed when its calls ended', () => {
  const failing = (checkedAtMs: number, over: Partial<Channel> = {}) => {
    const bad = { model: 'm', state: 'unhealthy', breaker: 'open', successRate: 0.1 } as const;
    const models = [{ ...bad, cooldownUntilMs: null }];
    const health = { ...UNKNOWN_HEALTH, checkedAtMs, breaker: 'open', models } as const;
    return disabled('c', { status: 'enabled', health, ...over });
  };

  test('is asked for it, for as long as nobody calls it and it stays so', async () => {
    channels = [failing(clock.now() - INTERVAL_MS)];
    const { run } = createRound();
    await run();
    await clock.advance(INTERVAL_MS);
    await run();
    await clock.advance(INTERVAL_MS);
    await run();
    expect(checked).toEqual(['c m', 'c m']);
  });

  test('is left alone while calls tell of it, and where people disabled it', async () => {
    channels = [failing(clock.now()), failing(0, { status: 'disabled' })];
    await createRound().run();
    expect(checked).toEqual([]);
  });
});
