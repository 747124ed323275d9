import { AppError } from '@tollgate/core';
import type {
  LimitDecision,
  LimitDimension,
  LimitSubject,
  Permit,
  Refusal,
  RequestLimiter,
  RequestLimits,
} from '../domain/limits';
import type { Principal } from '../domain/principal';
import type { DenialCounter, DenialReason } from './denial-counter';
import { toLimitHeaders } from './limit-headers';
import type { PlanTable } from './plan-table';

/** The answer to a metered request, and what its response says about the limits either way. */
export type AdmissionResult =
  | { readonly permit: Permit; readonly headers: Readonly<Record<string, string>> }
  | { readonly refused: AppError; readonly headers: Readonly<Record<string, string>> };

/** The failure that tells a caller which limit it hit and how long to wait. */
export function toRateLimitError({ dimension, retryAfterMs }: Refusal): AppError {
  return new AppError('RATE_LIMIT_EXCEEDED', {
    publicMessage: SENTENCES[dimension],
    retryAfterMs,
    // Waiting for midnight inside a client library would look like a hang.
    retryable: dimension !== 'rpd',
  });
}

const SENTENCES: Readonly<Record<LimitDimension, string>> = {
  rpm: 'The limit of requests per minute is reached. Please wait and try again.',
  rpd: 'The limit of requests per day is reached. It starts anew at midnight UTC.',
  concurrency: 'Too many requests are in flight at once. Please wait for one to finish.',
};

const KEY_REASON: Readonly<Record<LimitDimension, DenialReason>> = {
  rpm: 'key_rpm',
  rpd: 'key_rpd',
  concurrency: 'key_concurrency',
};

export interface AdmissionOptions {
  readonly limiter: RequestLimiter;
  readonly plans: PlanTable;
  readonly denials: DenialCounter;
}

/** Admits metered requests: the account under its plan, and its key under the key's own limits. */
export interface Admission {
  admit(principal: Principal): Promise<AdmissionResult>;
}

export function createAdmission({ limiter, plans, denials }: AdmissionOptions): Admission {
  return {
    async admit(principal) {
      const known = plans.limitsOf(principal.plan);
      const subjects = subjectsOf(principal, known instanceof Promise ? await known : known);
      const answer = limiter.acquire(subjects);
      const decision: LimitDecision = answer instanceof Promise ? await answer : answer;
      if (decision.admitted) {
        return { permit: decision.permit, headers: toLimitHeaders(decision.states) };
      }
      const byKey = decision.subject > 0;
      const { dimension } = decision;
      const reason = byKey ? KEY_REASON[dimension] : dimension;
      denials.count(principal.accountId, byKey ? principal.keyId : undefined, reason);
      return { refused: toRateLimitError(decision), headers: toLimitHeaders(decision.states) };
    },
  };
}

function subjectsOf(principal: Principal, plan: RequestLimits): readonly LimitSubject[] {
  const account = { id: principal.accountId, limits: plan };
  const { requestsPerMinute, requestsPerDay, concurrentRequests } = principal.limits;
  const unlimited = requestsPerMinute ?? requestsPerDay ?? concurrentRequests;
  if (unlimited === undefined) return [account];
  return [account, { id: principal.keyId, limits: principal.limits }];
}
