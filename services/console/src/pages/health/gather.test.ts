import type { Channel, UsageMetrics } from '../../api/schemas';
import { describeRefused, errorRate, findLeftOut, gatherChannels, gatherHurt } from './gather';

const row = (group: Record<string, string>, metrics: Partial<UsageMetrics>) => ({
  bucket: '2026-11-22T00:00:00Z',
  group,
  metrics: {
    requests: 0,
    failed_requests: 0,
    client_gone_requests: 0,
    invalid_requests: 0,
    rate_limited_requests: 0,
    ...metrics,
  } as UsageMetrics,
});
const channel = (id: string) => ({ id }) as Channel;

const refused = (account_id: string | null, error_code: string) => ({ account_id, error_code });

test('the channel that fails most stands first, and one that did nothing fails nothing', () => {
  const results = [
    row({ channel: 'good' }, { requests: 99, failed_requests: 1 }),
    // Its client left: the channel did nothing wrong.
    row({ channel: 'good' }, { requests: 1, failed_requests: 1, client_gone_requests: 1 }),
    // What its client asked for was wrong: so it would be anywhere.
    row({ channel: 'good' }, { requests: 100, failed_requests: 1, invalid_requests: 1 }),
    row({ channel: 'bad' }, { requests: 2, failed_requests: 1 }),
    row({ channel: 'bad' }, { requests: 2, failed_requests: 1 }),
  ];
  const channels = [channel('idle'), channel('good'), channel('bad')];
  const rows = gatherChannels(channels, { results }, false);
  expect(rows.map((one) => [one.id, errorRate(one)])).toEqual([
    ['bad', 0.5],
    ['good', 0.005],
    ['idle', 0],
  ]);
});

test('of too many channels those stand there that were named as the worst, loaded or not', () => {
  const results = [
    row({ channel: '' }, { requests: 9, failed_requests: 9 }),
    row({ channel: 'loaded' }, { requests: 10, failed_requests: 1 }),
    row({ channel: 'not loaded' }, { requests: 2, failed_requests: 1 }),
  ];
  const channels = [channel('idle'), channel('loaded')];
  const rows = gatherChannels(channels, { results }, true);
  expect(rows.map((one) => [one.id, one.channel?.id, one.requests])).toEqual([
    ['not loaded', undefined, 2],
    ['loaded', 'loaded', 10],
  ]);
});

test('of channels whose usage is not known nothing is counted, not a zero', () => {
  const [row] = gatherChannels([channel('idle')], undefined, false);
  expect(row).toMatchObject({ id: 'idle', requests: undefined, failed: undefined });
  const worst = gatherChannels([channel('idle')], undefined, true);
  expect(worst.map(({ id }) => id)).toEqual(['idle']);
  // Of one that is known to have had none it is a zero.
  expect(gatherChannels([channel('idle')], { results: [] }, false)[0]?.requests).toBe(0);
});

test('of accounts that were refused and are none of the worst, the figures are asked for', () => {
  const worst = [row({ account: 'acc_1' }, { requests: 5, failed_requests: 1 })];
  const kept = ['acc_2', 'acc_1', 'acc_3', 'acc_2', null].map((id) => refused(id, 'FORBIDDEN'));
  const leftOut = findLeftOut({ results: worst }, kept);
  expect(leftOut).toEqual(['acc_2', 'acc_3']);
  const requestsAfter = (results: typeof worst, asked: readonly string[]) => {
    const hurt = gatherHurt({ results: [...worst, ...results] }, kept, [], asked);
    return new Map(hurt.map(({ accountId, counted }) => [accountId, counted?.requests]));
  };
  expect(requestsAfter([], []).get('acc_2')).toBeUndefined();
  const others = [row({ account: 'acc_2' }, { requests: 30 })];
  const counts = requestsAfter(others, leftOut);
  // Who was asked of and is not in the answer made none; of a request without a key nobody knows.
  expect(['acc_1', 'acc_2', 'acc_3', undefined].map((id) => counts.get(id))).toEqual([
    5,
    30,
    0,
    undefined,
  ]);
});

test('one query names at most fifty accounts', () => {
  const kept = Array.from({ length: 60 }, (_, index) => refused(`acc_${index}`, 'FORBIDDEN'));
  expect(findLeftOut({ results: [] }, kept)).toHaveLength(50);
});

test('only accounts that were hurt are named', () => {
  const hurt = gatherHurt(
    {
      results: [
        row({ account: 'acc_1' }, { requests: 5, failed_requests: 1, client_gone_requests: 1 }),
        row({ account: 'acc_2' }, { rate_limited_requests: 3 }),
        row({ account: 'acc_2' }, { requests: 9, failed_requests: 1 }),
      ],
    },
    [],
    [{ id: 'acc_2', name: 'Acme' }],
    [],
  );
  expect(hurt).toEqual([
    {
      accountId: 'acc_2',
      name: 'Acme',
      refused: new Map(),
      counted: { limited: 3, failed: 1, requests: 9 },
    },
  ]);
});

test('an account that the figures do not name stands there with its reason and without counts', () => {
  const hurt = gatherHurt(
    { results: [row({ account: 'acc_1' }, { requests: 5, failed_requests: 1 })] },
    [
      refused('acc_2', 'INSUFFICIENT_BALANCE'),
      refused('acc_2', 'INSUFFICIENT_BALANCE'),
      refused('acc_2', 'FORBIDDEN'),
      refused(null, 'UNAUTHORIZED'),
    ],
    [{ id: 'acc_2', name: 'Broke' }],
    [],
  );
  expect(hurt.map((one) => [one.name, describeRefused(one), one.counted?.requests])).toEqual([
    ['Broke', 'Balance too low, 2 or more; not allowed, 1 or more', undefined],
    ['acc_1', '', 5],
    ['No known API key', 'API key not valid, 1 or more', undefined],
  ]);
});

test('what a rate limit refused is counted once, though some of it is kept too', () => {
  const kept = [refused('acc_2', 'RATE_LIMIT_EXCEEDED'), refused('acc_2', 'FORBIDDEN')];
  const usage = { results: [row({ account: 'acc_2' }, { rate_limited_requests: 3 })] };
  const [counted] = gatherHurt(usage, kept, [], []);
  expect([counted?.counted?.limited, counted && describeRefused(counted)]).toEqual([
    3,
    'Not allowed, 1 or more',
  ]);
  const [sampled] = gatherHurt({ results: [] }, kept.slice(0, 1), [], []);
  expect(sampled && describeRefused(sampled)).toBe('Rate limit, 1 or more');
});
