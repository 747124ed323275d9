import { AppError, type Clock, type Idempotency } from '@tollgate/core';
import { checkPlan, comparePlans, type Plan } from '../domain/plans';
import type { PlanStore } from '../domain/ports';
import type { IdempotentRunner } from './dependencies';

export interface PutPlan {
  /** Its version is the one that was read, 0 for a new plan. */
  readonly plan: Plan;
  readonly scope: string;
  readonly idempotency: Idempotency;
}

export interface PlanOperations {
  /** Cheapest first. */
  list(): Promise<readonly Plan[]>;
  /** Newest version first; rejects with NOT_FOUND. */
  versions(id: string): Promise<readonly [Plan, ...Plan[]]>;
  /** Rejects with CONFLICT when the id is taken, or when the plan is another one by now. */
  put(input: PutPlan): Promise<{ readonly plan: Plan; readonly replayed: boolean }>;
}

interface Dependencies {
  readonly plans: PlanStore;
  readonly clock: Clock;
  readonly runIdempotently: IdempotentRunner;
}

export function createPlanOperations(deps: Dependencies): PlanOperations {
  const { plans, clock } = deps;
  return {
    list: async () => [...(await plans.list())].sort(comparePlans),
    async versions(id) {
      const [newest, ...older] = await plans.versions(id);
      if (newest === undefined) throw new AppError('NOT_FOUND');
      return [newest, ...older];
    },
    async put({ plan: given, ...input }) {
      const next = { ...given, version: given.version + 1, changedAtMs: clock.now() };
      const plan = checkPlan(next);
      if (given.version === 0) return createPlan(deps, plan, input);
      if (await plans.addVersion(plan)) return { plan, replayed: false };
      const publicMessage = 'This plan was changed by somebody else meanwhile. Read it again.';
      throw new AppError('CONFLICT', { publicMessage });
    },
  };
}

async function createPlan(
  { plans, runIdempotently }: Dependencies,
  plan: Plan,
  { scope, idempotency }: Pick<PutPlan, 'scope' | 'idempotency'>,
): Promise<{ readonly plan: Plan; readonly replayed: boolean }> {
  const { id } = plan;
  const { replayed } = await runIdempotently<{ readonly id: string }>({
    scope,
    operation: 'create-plan',
    idempotency,
    async effect(effectId) {
      if (await plans.create(plan, effectId)) return { id };
      throw new AppError('CONFLICT', {
        param: 'id',
        publicMessage: 'There is a plan of this id.',
      });
    },
    findEffect: async (effectId) =>
      (await plans.effectIdOf(id)) === effectId ? { id } : undefined,
  });
  if (!replayed) return { plan, replayed };
  const first = (await plans.versions(id)).at(-1);
  return { plan: first ?? plan, replayed };
}
