import type { Account } from '../../api/schemas';
import { toAccountChanges, toTermsDraft } from './terms-draft';

const ACCOUNT = {
  id: 'acc_1',
  name: 'Acme',
  plan: 'smart',
  status: 'active',
  overrides: {
    limits: { requests_per_minute: 600, requests_per_day: null },
    groups: ['batch'],
    models: [],
    discount: '0.00',
  },
  created_at: '2026-01-31T12:00:00.000Z',
  updated_at: '2026-01-31T12:00:00.000Z',
} satisfies Account;

test('a limit is a number, none, or that of the plan', () => {
  expect(toTermsDraft(ACCOUNT)).toMatchObject({
    requests_per_minute: '600',
    requests_per_day: 'none',
    concurrent_requests: '',
  });
});

test('a limit that is emptied is that of the plan again; the others are sent along', () => {
  const draft = { ...toTermsDraft(ACCOUNT), requests_per_minute: '', discount: '12.5' };
  expect(toAccountChanges(draft, ACCOUNT)).toEqual({
    overrides: { limits: { requests_per_day: null }, discount: '12.5' },
  });
});

test('what is as it was is not sent', () => {
  expect(toAccountChanges(toTermsDraft(ACCOUNT), ACCOUNT)).toEqual({});
  expect(toAccountChanges({ ...toTermsDraft(ACCOUNT), name: ' New ' }, ACCOUNT)).toEqual({
    name: 'New',
  });
});
