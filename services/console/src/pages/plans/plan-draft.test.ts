import type { FullPlan } from '../../api/schemas';
import { EMPTY_PLAN, PLAN_RULES, toNewPlan, toPlanChanges, toPlanDraft } from './plan-draft';

const PLAN = {
  id: 'team',
  name: 'Team',
  requests_per_minute: 500,
  requests_per_day: null,
  concurrent_requests: 30,
  price: { amount: '50.00', currency: 'USD', period: 'month' },
  included_credit: '50.00',
  groups: ['batch'],
  models: [],
  keep_answers: true,
  thresholds: { amounts: ['5.00'], days: [7] },
  version: 2,
  changed_at: '2026-01-31T12:00:00.000Z',
} satisfies FullPlan;

test('a limit that is left empty is none', () => {
  const draft = { ...EMPTY_PLAN, id: 'team', name: ' Team ', requests_per_minute: '500' };
  expect(toNewPlan(draft)).toMatchObject({
    id: 'team',
    name: 'Team',
    requests_per_minute: 500,
    requests_per_day: null,
    concurrent_requests: null,
    models: [],
  });
});

test('only what was changed is sent', () => {
  const draft = toPlanDraft(PLAN);
  expect(toPlanChanges(draft, PLAN)).toEqual({});
  expect(toPlanChanges({ ...draft, requests_per_minute: '', groups: [] }, PLAN)).toEqual({
    requests_per_minute: null,
    groups: [],
  });
});

test('thresholds are null where the plan has none, and may be none at all where it has', () => {
  const draft = toPlanDraft(PLAN);
  expect(draft).toMatchObject({ hasThresholds: true, thresholds: { days: ['7'] } });
  expect(toPlanChanges({ ...draft, hasThresholds: false }, PLAN)).toEqual({ thresholds: null });
  const silent = { ...draft, thresholds: { amounts: [], days: [] } };
  expect(toPlanChanges(silent, PLAN)).toEqual({ thresholds: { amounts: [], days: [] } });
  expect(toPlanDraft({ ...PLAN, thresholds: null })).toMatchObject({ hasThresholds: false });
  expect(toNewPlan(EMPTY_PLAN)).toMatchObject({ thresholds: null });
});

test('an id is one that an address can hold', () => {
  expect(['team', 'team-2', 'a_b'].map(PLAN_RULES.id)).toEqual([null, null, null]);
  for (const id of ['', 'Team', '2team', 'a b']) expect(PLAN_RULES.id(id)).not.toBeNull();
});
