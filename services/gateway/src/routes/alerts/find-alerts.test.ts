import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { billingV1, routingV1, statsV1, webhookV1 } from '@tollgate/protos';
import { ALERT_RULES } from './alert';
import { findAlerts, type Observations } from './find-alerts';

const RUNBOOKS = join(__dirname, '../../../../../docs');
const NOW = Date.parse('2026-02-03T10:00:00.000Z');
const SINCE = '2026-02-03T09:00:00.000Z';

const audit = (changes: Partial<billingV1.AuditResponse__Output> = {}) =>
  ({ ok: true, findings: [], checkedAt: SINCE, ...changes }) as billingV1.AuditResponse__Output;

const channel = (changes: Partial<routingV1.Channel__Output> = {}) =>
  ({
    id: 'ch_1',
    name: 'first',
    status: 'CHANNEL_STATUS_ENABLED',
    ownerAccountId: '',
    models: [{ name: 'small', upstreamName: 'small' }],
    health: { state: 'HEALTH_STATE_HEALTHY', breaker: 'closed', models: [], lastError: '' },
    ...changes,
  }) as routingV1.Channel__Output;

const model = (name: string, source = '') =>
  ({ name, pricing: { source } }) as routingV1.Model__Output;

/** Of each account how many requests came, failed, and were refused by a limit. */
function usage(
  accounts: Readonly<Record<string, readonly [requests: number, failed: number, limited: number]>>,
): statsV1.QueryUsageResponse__Output {
  const toMetrics = ([requests, failedRequests, rateLimitedRequests]: readonly number[]) => ({
    requests: `${requests}`,
    failedRequests: `${failedRequests}`,
    rateLimitedRequests: `${rateLimitedRequests}`,
  });
  const rows = Object.entries(accounts);
  const totals = [0, 1, 2].map((at) => rows.reduce((sum, [, row]) => sum + (row[at] ?? 0), 0));
  // The rules read no other figures.
  return {
    results: rows.map(([value, row]) => ({
      group: [{ dimension: 'DIMENSION_ACCOUNT', value }],
      metrics: toMetrics(row),
    })),
    totals: toMetrics(totals),
  } as statsV1.QueryUsageResponse__Output;
}

/** A deployment of which nothing is to be said, but for the changes. */
const seen = (changes: Partial<Observations> = {}): Observations => ({
  now: NOW,
  instances: [{ address: 'a:1', available: true }],
  channels: [channel()],
  models: [model('small')],
  audit: audit(),
  usage: usage({}),
  usageDetails: { failedByChannel: [], sinceMs: new Map() },
  startedAtMs: 0,
  endpoints: [],
  accountNames: new Map([['acc_1', 'Acme']]),
  unanswered: [],
  ...changes,
});

const told = (changes: Partial<Observations>) =>
  findAlerts(seen(changes)).map(({ id, title, since }) => [id, title, since]);

test('nothing is said where nothing is wrong', () => {
  expect(findAlerts(seen())).toEqual([]);
});

test('a service that is silent is an alert, and what it would say is no other', () => {
  const unanswered = [{ about: 'routing', reason: 'Try again in a moment.', isRefusal: false }];
  const [alert, ...others] = findAlerts(seen({ unanswered, channels: undefined }));
  expect(others).toEqual([]);
  expect(alert).toMatchObject({
    id: 'service_silent:routing',
    severity: 'critical',
    title: 'Routing could not be asked',
    detail: 'Try again in a moment.',
    runbook: '/docs/runbooks/service-down',
  });
});

test('completion is critical only when no instance of it takes work', () => {
  const [a, b] = ['a:1', 'b:1'].map((address) => ({ address, available: false }));
  if (a === undefined || b === undefined) throw new Error('two instances');
  expect(told({ instances: [a, { ...b, available: true }] })).toEqual([
    ['completion_refuses:a:1', 'The completion instance a:1 takes no work', null],
  ]);
  const none = [['no_completion:completion', 'No completion instance takes work', null]];
  expect(told({ instances: [a, b] })).toEqual(none);
  expect(told({ instances: [] })).toEqual(none);
});

test('books that differ are told with the first finding, and an old audit is told as old', () => {
  const findings = [
    { accountId: 'acc_1', rule: 'sum', detail: 'granted 1, posted 2' },
    { accountId: 'acc_2', rule: 'ledger_gap', detail: '7' },
  ];
  expect(findAlerts(seen({ audit: audit({ ok: false, findings }) }))).toMatchObject([
    { id: 'money_differs', title: 'The audit found 2 differences', since: SINCE },
  ]);
  const checkedAt = '2026-02-03T06:59:59.000Z';
  expect(told({ audit: audit({ checkedAt }) })).toEqual([
    ['audit_old', 'No audit of late', checkedAt],
  ]);
});

test('a channel that was disabled automatically says why and since when; one that a person disabled does not', () => {
  const other = channel({ id: 'ch_2', name: 'second' });
  const disabled = channel({
    status: 'CHANNEL_STATUS_AUTO_DISABLED',
    disabledAt: SINCE,
    disabledReason: 'The credential was refused.',
  });
  expect(findAlerts(seen({ channels: [disabled, other] }))).toMatchObject([
    {
      id: 'channel_disabled:ch_1',
      title: 'first was disabled automatically',
      since: SINCE,
      detail: 'The credential was refused.',
      subject: { type: 'channel', id: 'ch_1' },
    },
  ]);
  expect(told({ channels: [channel({ status: 'CHANNEL_STATUS_DISABLED' }), other] })).toEqual([]);
});

test('a deployment without an enabled channel is critical, whatever stands in its catalogue', () => {
  const action = expect.stringContaining('tollgate channel enable NAME') as unknown;
  const none = {
    id: 'nothing_served',
    severity: 'critical',
    title: 'No channel is enabled',
    action,
  };
  const told = findAlerts(seen({ channels: [], models: [] }));
  expect(told).toMatchObject([{ ...none, detail: 'There is none.' }]);
  const disabled = channel({ status: 'CHANNEL_STATUS_DISABLED' });
  expect(findAlerts(seen({ channels: [disabled] }))[0]).toMatchObject({
    ...none,
    id: 'nothing_served:ch_1',
    detail: 'All were disabled by hand.',
  });
  const off = { type: 'channel', id: 'ch_1', name: 'first', change: 'disabled' } as const;
  const by = { by: 'ann@acme.test', reason: null, audit_entry_id: 'aud_1', on_again: null };
  const two = [disabled, { ...disabled, id: 'ch_2', name: 'second' }];
  const seenBy = seen({ channels: two, switchedOff: [{ ...off, ...by, at: SINCE }] });
  expect(findAlerts(seenBy)[0]).toMatchObject({
    ...none,
    subject: { type: 'channel', id: '', ids: ['ch_1', 'ch_2'] },
    detail: `All were disabled by hand: first ${SINCE} by ann@acme.test.`,
  });
  // What cannot be read is told by the service that is silent.
  expect(findAlerts(seen({ channels: undefined, models: undefined }))).toEqual([]);
});

const health = (breaker: string, state = 'HEALTH_STATE_HEALTHY') =>
  ({
    state,
    breaker,
    lastError: '',
    models: [{ model: 'small', breaker, state }],
  }) as routingV1.ChannelHealth__Output;

test('a channel that fails is a warning while another serves, and critical for its model after', () => {
  const failing = channel({ health: health('open') });
  const warning = ['channel_failing:ch_1', 'first fails “small”', null];
  expect(told({ channels: [failing, channel({ id: 'ch_2' })] })).toEqual([warning]);
  expect(told({ channels: [failing] })).toEqual([
    ['model_not_served:small', 'No channel can serve “small”', null],
    warning,
  ]);
  const ill = channel({ health: health('closed', 'HEALTH_STATE_UNHEALTHY') });
  expect(told({ channels: [ill] })).toEqual([
    ['channel_failing:ch_1', 'Calls of first fail', null],
  ]);
});

test('a channel at which requests find no room is a warning for some minutes', () => {
  const full = (agoMs: number, maxConcurrency = 2) => {
    const noRoomAt = new Date(NOW - agoMs).toISOString();
    return channel({ maxConcurrency, health: { ...health('closed'), noRoomAt } });
  };
  expect(findAlerts(seen({ channels: [full(60_000)] }))).toMatchObject([
    {
      id: 'channel_full:ch_1',
      title: 'Requests find no room at first',
      detail: 'max_concurrency is 2; found full last at 2026-02-03T09:59:00.000Z.',
    },
  ]);
  expect(told({ channels: [full(300_000)] })).toEqual([]);
  expect(told({ channels: [full(60_000, 0)] })).toEqual([]);
});

test('a channel that is slow and does not fail is a warning that says compared with what', () => {
  const figures = (p95: number) => {
    const latencyMs = { p50: 1, p95, p99: p95, count: '40' };
    return new Map([
      ['ch_1', { requests: '40', latencyMs, firstTokenMs: null } as statsV1.UsageMetrics__Output],
    ]);
  };
  const channelFigures = {
    thisHour: figures(5000),
    hourBefore: figures(400),
    yesterday: figures(400),
  };
  expect(findAlerts(seen({ channelFigures }))).toMatchObject([
    {
      id: 'channel_slow:ch_1',
      severity: 'warning',
      title: 'first is slow',
      // Lower numbers are asked first.
      action: expect.stringContaining('behind other channels by a higher number') as unknown,
      detail: expect.stringMatching(/^Slow: .* 5\.0 s in this hour.* 400 ms yesterday/) as unknown,
    },
  ]);
  const failing = channel({ health: health('closed', 'HEALTH_STATE_UNHEALTHY') });
  const rules = findAlerts(seen({ channelFigures, channels: [failing] })).map(({ rule }) => rule);
  expect(rules).toEqual(['channel_failing']);
});

test('models without a channel or a price are told together', () => {
  const models = ['a', 'b', 'c', 'd'].map((name) => model(name, 'default'));
  expect(told({ models, channels: [channel({ models: [] })] })).toEqual([
    ['model_without_channel', 'No channel names “a”, “b”, “c” and 1 more', null],
    ['price_not_set', 'Nobody set the price of “a”, “b”, “c” and 1 more', null],
  ]);
  expect(told({ models: [model('small', 'list')] })).toEqual([]);
});

test('failures are told by their share, once there are enough requests to speak of one', () => {
  expect(told({ usage: usage({ acc_1: [19, 19, 0] }) })).toEqual([]);
  expect(told({ usage: usage({ acc_1: [30, 3, 0] }) })).toEqual([]);
  expect(told({ usage: usage({ acc_1: [30, 2, 0], acc_2: [10, 3, 0] }) })).toEqual([
    ['requests_failing', '5 of 40 requests failed', null],
  ]);
  const some = usage({ acc_1: [40, 5, 0] });
  // A client that left, or asked for what a vendor refuses as wrong, did so itself.
  for (const own of [{ clientGoneRequests: '5' }, { invalidRequests: '5' }]) {
    expect(told({ usage: { ...some, totals: { ...some.totals, ...own } } as typeof some })).toEqual(
      [],
    );
  }
});

test('failures are told by channel, none among them, and by account, with their first minute', () => {
  const found = (startedAtMs: number) =>
    findAlerts(
      seen({
        usage: usage({ acc_1: [30, 9, 0], acc_2: [10, 3, 0], acc_3: [5, 2, 0], acc_4: [1, 1, 0] }),
        usageDetails: {
          failedByChannel: [
            { id: 'ch_1', failed: 8 },
            { id: '', failed: 7 },
          ],
          sinceMs: new Map([['acc_1', Date.parse(SINCE)]]),
        },
        startedAtMs,
      }),
    );
  const detail =
    'By channel: 8 at “first”, 7 at none. ' +
    'By account: 9 of “Acme”, 3 of “acc_2”, 2 of “acc_3”, 1 of others.';
  expect(found(0)).toMatchObject([{ rule: 'requests_failing', detail, since: SINCE }]);
  const started = '2026-02-03T09:00:30.000Z';
  expect(found(Date.parse(started))).toMatchObject([{ since: started }]);
});

test('accounts are named that are refused often and for a large part', () => {
  const refused = { acc_1: [300, 0, 100], acc_2: [100, 0, 99], acc_3: [900, 0, 200] } as const;
  expect(told({ usage: usage(refused) })).toEqual([
    ['account_refused:acc_1', '100 of 400 requests of Acme were refused', null],
  ]);
});

test('a webhook that was disabled automatically shows the host of its address alone', () => {
  const endpoint = {
    id: 'whk_1',
    accountId: 'acc_2',
    lastDeliveryAt: SINCE,
    url: 'https://user:word@receiver.example/hook?token=hidden',
  } as webhookV1.Endpoint__Output;
  const [alert] = findAlerts(seen({ endpoints: [endpoint] }));
  expect(alert).toMatchObject({
    id: 'webhook_disabled:whk_1',
    title: 'A webhook of acc_2 was disabled automatically',
    since: SINCE,
    account_id: 'acc_2',
    detail: 'It sent to receiver.example.',
  });
});

test('what is critical stands first, and every runbook that is named is there', () => {
  const alerts = findAlerts(
    seen({
      endpoints: [{ id: 'whk_1', accountId: 'acc_1', url: '' } as webhookV1.Endpoint__Output],
      channels: [channel({ health: health('open') })],
      audit: audit({ ok: false }),
    }),
  );
  expect(alerts.map(({ rule }) => rule)).toEqual([
    'money_differs',
    'model_not_served',
    'channel_failing',
    'webhook_disabled',
  ]);
  for (const { runbook } of alerts) {
    expect(existsSync(join(RUNBOOKS, `${String(runbook).replace('/docs/', '')}.md`))).toBe(true);
  }
  expect(new Set(ALERT_RULES).size).toBe(ALERT_RULES.length);
});

test('before the first audit is complete nobody says that billing is silent', () => {
  expect(told({ audit: 'none' })).toEqual([['audit_old', 'No audit is complete yet', null]]);
  expect(told({ audit: 'none', startedAtMs: NOW - 60_000 })).toEqual([]);
});

test('channels of customers that disabled automatically are one warning, however many', () => {
  const channels = ['a', 'b', 'c', 'd'].map((name) => channel({ id: `ch_${name}`, name }));
  const alerts = findAlerts(seen({ ownedDisabled: { channels, nextCursor: '' } }));
  expect(alerts).toMatchObject([
    {
      id: 'owned_channels_disabled',
      severity: 'warning',
      account_id: null,
      title: '4 channels of customers disabled automatically',
      detail: 'a, b, c and 1 more',
    },
  ]);
  expect(told({ ownedDisabled: { channels, nextCursor: 'ch_d' } })).toMatchObject([
    ['owned_channels_disabled', 'More than 4 channels of customers disabled automatically', null],
  ]);
});
