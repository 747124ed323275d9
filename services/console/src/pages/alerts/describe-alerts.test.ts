import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeCounts, LEAST_COUNTS, linkOf, toneOfAlerts } from './describe-alerts';

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

const ROUTES = join(__dirname, '../../../../gateway/src/routes');

test.each([
  ['alerts/find-usage-alerts.ts', 'REQUESTS_MIN', (least: string) => `it takes ${least} in this`],
  ['alerts/find-usage-alerts.ts', 'RATE_LIMITED_MIN', (least: string) => `${least} of an account`],
  ['channels/channel-pace.ts', 'MEASURED_MIN', (least: string) => `${least} answers of a channel`],
] as const)('what is too few to be judged is told as %s has it in %s', (file, name, sentence) => {
  // The console is compiled apart from the gateway, so its source is read.
  const source = readFileSync(join(ROUTES, file), 'utf8');
  const [, least = ''] = new RegExp(`\\b${name} = (\\d+);`).exec(source) ?? [];
  expect(LEAST_COUNTS).toContain(sentence(least));
});
