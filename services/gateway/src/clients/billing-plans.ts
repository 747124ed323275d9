import type { billingV1 } from '@tollgate/protos';
import type { RequestLimits } from '../domain/limits';

/** The limits of every plan, by plan id. */
export function fromPlans(
  answer: billingV1.ListPlansResponse__Output,
): ReadonlyMap<string, RequestLimits> {
  return new Map(
    answer.plans.map(({ id, requestsPerMinute, requestsPerDay, concurrentRequests }) => [
      id,
      { requestsPerMinute, requestsPerDay, concurrentRequests },
    ]),
  );
}
