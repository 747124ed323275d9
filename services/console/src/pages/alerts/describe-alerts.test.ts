import { describeCounts, linkOf, toneOfAlerts } from './describe-alerts';

test('an alert leads to the thing that it is about, or to the list where it is about many', () => {
  const about = (type: 'channel' | 'model' | 'money', id: string) =>
    linkOf({ subject: { type, id }, account_id: null, since: null }).href;
  expect(about('channel', 'ch_1')).toBe('/operator/channels?open=ch_1');
  expect(about('model', 'a/b')).toBe('/operator/models?open=a%2Fb');
  expect(about('model', '')).toBe('/operator/models');
  const many = linkOf({ subject: { type: 'model', id: '' }, account_id: null, since: null });
  expect(many.label).toBe('Open the list');
  expect(about('money', '')).toBe('/operator/health');
});

test('failed requests are those since the counting began', () => {
  const since = '2026-11-22T10:00:00.000Z';
  const subject = { type: 'requests', id: '' } as const;
  expect(linkOf({ subject, account_id: null, since }).href).toBe(
    '/operator/requests?status=failed&since=2026-11-22T10%3A00%3A00.000Z',
  );
});

test('what belongs to a customer leads to the account', () => {
  const subject = { type: 'webhook', id: 'whk_1' } as const;
  expect(linkOf({ subject, account_id: 'acc_7', since: null }).href).toBe(
    '/operator/accounts?open=acc_7',
  );
});

test('counts are said without what there is none of', () => {
  const critical = { severity: 'critical' } as const;
  const warning = { severity: 'warning' } as const;
  expect(describeCounts([critical, warning, warning])).toBe('1 critical, 2 warnings');
  expect(describeCounts([warning])).toBe('1 warning');
  expect(describeCounts([critical, critical])).toBe('2 critical');
  expect(describeCounts([])).toBe('');
  expect(toneOfAlerts([warning, critical])).toBe('bad');
  expect(toneOfAlerts([warning])).toBe('warn');
});
