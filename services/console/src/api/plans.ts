import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { api } from '../session/session';
import { unwrap, useChange } from './queries';
import type { FullPlan, NewPlan, PlanChanges } from './schemas';

const PLANS = ['plans'] as const;
/** Queries that a change of plans touches: customers see plans with their balance. */
const TOUCHED = [PLANS, ['billing']];

/** Operators: the plans with all that they allow. */
export function useFullPlans(): UseQueryResult<readonly FullPlan[]> {
  return useQuery({
    queryKey: [...PLANS, 'list'],
    queryFn: async () => (await unwrap(api.GET('/v1/admin/plans'))).items,
  });
}

/** One plan, and what it was before, newest first. */
export function useFullPlan(
  id: string,
): UseQueryResult<FullPlan & { readonly versions: readonly FullPlan[] }> {
  return useQuery({
    queryKey: [...PLANS, 'one', id],
    queryFn: () => unwrap(api.GET('/v1/admin/plans/{id}', { params: { path: { id } } })),
  });
}

export function useCreatePlan() {
  return useChange((body: NewPlan) => api.POST('/v1/admin/plans', { body }), TOUCHED);
}

/** Changes a plan: a new version, which gateways follow within seconds. */
export function useChangePlan(id: string) {
  return useChange(
    (body: PlanChanges) => api.PATCH('/v1/admin/plans/{id}', { params: { path: { id } }, body }),
    TOUCHED,
  );
}
