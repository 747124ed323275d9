import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { api } from '../session/session';
import { useGet, useSend } from './hooks';
import { unwrap } from './queries';
import type { FullPlan } from './schemas';

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
  return useGet([...PLANS, 'one', id], '/v1/admin/plans/{id}', { path: { id } });
}

export function useCreatePlan() {
  return useSend('post', '/v1/admin/plans', {}, TOUCHED);
}

/** Changes a plan: a new version, which gateways follow within seconds. */
export function useChangePlan(id: string) {
  return useSend('patch', '/v1/admin/plans/{id}', { path: { id } }, TOUCHED);
}
