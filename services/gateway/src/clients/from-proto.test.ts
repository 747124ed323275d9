import type { identityV1 } from '@tollgate/protos';
import { UNLIMITED } from '@tollgate/rpc';
import { fromAccountAndKey, fromTerms } from './from-proto';

const TERMS = { limits: { requestsPerMinute: 5, requestsPerDay: UNLIMITED }, models: ['small'] };
const ACCOUNT = {
  id: 'acc_1',
  groups: ['eu'],
  terms: { ...TERMS, discount: 250 },
} as identityV1.Account__Output;
const KEY: Parameters<typeof fromAccountAndKey>[1] = {
  models: ['small'],
  pools: ['eu'],
  maxBudget: '7',
  budgetPeriod: 'BUDGET_PERIOD_MONTH',
};

test('a limit of an account is its own, unlimited, or the one of its plan', () => {
  const { limits } = fromTerms(ACCOUNT.terms);
  expect(Object.entries(limits ?? {}).sort()).toEqual([
    ['requestsPerDay', undefined],
    ['requestsPerMinute', 5],
  ]);
});

test('a key narrows what its account was granted; one that is gone narrows nothing', () => {
  const granted = { accountId: 'acc_1', grantedGroups: ['eu'], terms: fromTerms(ACCOUNT.terms) };
  expect(fromAccountAndKey(ACCOUNT, KEY)).toEqual({
    ...granted,
    models: ['small'],
    pools: ['eu'],
    budget: { limit: 7n, period: 'month' },
  });
  const open = { models: [], pools: [], budget: undefined };
  expect(fromAccountAndKey(ACCOUNT)).toEqual({ ...granted, ...open });
});
