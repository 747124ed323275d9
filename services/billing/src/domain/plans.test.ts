import { DEFAULT_PLANS } from './plans';

describe('the plan table', () => {
  it('has the limits of its four plans', () => {
    const limits = DEFAULT_PLANS.map((plan) => [
      plan.id,
      plan.requestsPerMinute,
      plan.requestsPerDay,
      plan.concurrentRequests,
    ]);
    expect(limits).toEqual([
      ['free', 60, 1_000, 5],
      ['smart', 300, 10_000, 20],
      ['professional', 1_000, 50_000, 50],
      ['enterprise', undefined, undefined, 200],
    ]);
  });
});
