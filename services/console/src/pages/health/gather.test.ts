import type { Channel, UsageMetrics } from '../../api/schemas';
import { errorRate, gatherChannels, gatherRefusals } from './gather';

const row = (group: Record<string, string>, metrics: Partial<UsageMetrics>) => ({
  bucket: '2026-11-22T00:00:00Z',
  group,
  metrics: {
    requests: 0,
    failed_requests: 0,
    client_gone_requests: 0,
    rate_limited_requests: 0,
    ...metrics,
  } as UsageMetrics,
});
const channel = (id: string) => ({ id }) as Channel;

test('the channel that fails most stands first, and one that did nothing fails nothing', () => {
  const results = [
    row({ channel: 'good' }, { requests: 99, failed_requests: 1 }),
    // Its client left: the channel did nothing wrong.
    row({ channel: 'good' }, { requests: 1, failed_requests: 1, client_gone_requests: 1 }),
    row({ channel: 'bad' }, { requests: 2, failed_requests: 1 }),
    row({ channel: 'bad' }, { requests: 2, failed_requests: 1 }),
  ];
  const channels = [channel('idle'), channel('good'), channel('bad')];
  const rows = gatherChannels(channels, { results }, false);
  expect(rows.map((one) => [one.id, errorRate(one)])).toEqual([
    ['bad', 0.5],
    ['good', 0.01],
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

test('only accounts that were hurt are named', () => {
  const refusals = gatherRefusals(
    {
      results: [
        row({ account: 'acc_1' }, { requests: 5, failed_requests: 1, client_gone_requests: 1 }),
        row({ account: 'acc_2' }, { rate_limited_requests: 3 }),
        row({ account: 'acc_2' }, { requests: 9, failed_requests: 1 }),
      ],
    },
    [{ id: 'acc_2', name: 'Acme' }],
  );
  expect(refusals).toEqual([
    { accountId: 'acc_2', name: 'Acme', limited: 3, failed: 1, requests: 9 },
  ]);
});
