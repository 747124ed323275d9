import { checkConfig } from '@tollgate/config';
import { identityConfigSchema } from './config';

test('the plan of the first start has an id that a plan can have', () => {
  const problemsWith = (plan: string) => {
    const verdict = checkConfig(identityConfigSchema, { TOLLGATE_INIT_PLAN: plan });
    const problems = verdict.ok ? [] : verdict.problems;
    return problems.filter((problem) => problem.startsWith('TOLLGATE_INIT_PLAN'));
  };
  expect(problemsWith('p'.repeat(32))).toEqual([]);
  expect(problemsWith('p'.repeat(33))).toHaveLength(1);
});
