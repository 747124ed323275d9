import { AppError, assertNever } from '@tollgate/core';
import type { DenialReason } from '@tollgate/events';
import { limitsOf, type Principal } from '../auth/principal';
import type { DenialCounter } from '../refusals/denials';
import {
  hasLimit,
  type LimitDecision,
  type LimitKind,
  type LimitRefusal,
  type LimitState,
  type LimitSubject,
  limitIn,
  type Permit,
  type RequestLimiter,
  type RequestLimits,
} from './limiter';
import type { AccountPlan, PlanTable } from './plan-table';

/** The answer to a metered request, and what its response says about the limits either way. */
export type AdmissionResult = LimitsTold &
  ({ readonly permit: Permit; readonly plan: AccountPlan } | { readonly refused: AppError });

/** Where a client stands, in the headers of its response and as the usage record keeps it. */
interface LimitsTold {
  readonly headers: Readonly<Record<string, string>>;
  /** What is left, such as `rpm 59/60 rpd 999/1000`; empty when neither is limited. */
  readonly limitsLeft: string;
}

export interface AdmissionOptions {
  readonly limiter: RequestLimiter;
  readonly plans: PlanTable;
  readonly denials: DenialCounter;
}

/**
 * Admits metered requests: the account under its plan, and its key under the key's own limits. At
 * once when everything is known here.
 */
export interface Admission {
  readonly admit: (principal: Principal) => AdmissionResult | Promise<AdmissionResult>;
}

export function createAdmission({ limiter, plans, denials }: AdmissionOptions): Admission {
  const toResult = (
    principal: Principal,
    plan: AccountPlan,
    decision: LimitDecision,
  ): AdmissionResult => {
    const limitsTold = tellLimits(decision.states);
    if (decision.admitted) return { permit: decision.permit, plan, ...limitsTold };
    const byKey = isKeysLimit(decision);
    const { kind } = decision;
    const reason = byKey ? KEY_REASON[kind] : kind;
    denials.count(principal.accountId, byKey ? principal.keyId : undefined, reason);
    return { refused: toRateLimitError(decision), ...limitsTold };
  };
  const admitUnder = (plan: AccountPlan, principal: Principal) => {
    const decision = limiter.acquire(subjectsOf(principal, plan.limits));
    if (!(decision instanceof Promise)) return toResult(principal, plan, decision);
    return decision.then((decided) => toResult(principal, plan, decided));
  };
  return {
    admit(principal) {
      const plan = plans.planOf(principal.plan);
      if (!(plan instanceof Promise)) return admitUnder(plan, principal);
      return plan.then((known) => admitUnder(known, principal));
    },
  };
}

function subjectsOf(principal: Principal, plan: RequestLimits): readonly LimitSubject[] {
  const account = { id: principal.accountId, limits: limitsOf(principal.terms, plan) };
  if (!hasLimit(principal.limits)) return [account];
  return [account, { id: principal.keyId, limits: principal.limits }];
}

/** The failure that tells a client which limit it hit and how long to wait. */
export function toRateLimitError(refusal: LimitRefusal): AppError {
  const { kind, retryAfterMs } = refusal;
  const isClosed = limitOf(refusal) === 0;
  return new AppError('RATE_LIMIT_EXCEEDED', {
    publicMessage: sentenceOf(refusal),
    retryAfterMs,
    // Waiting for midnight inside a client library would look like a hang.
    retryable: kind !== 'rpd' && !isClosed,
  });
}

/** The number of the limit that was hit. */
function limitOf({ kind, states, subjectIndex }: LimitRefusal): number | undefined {
  return limitIn(states[subjectIndex]?.limits ?? {}, kind);
}

/** Keys are asked about second, after their account; the subject of a throttle alone. */
function isKeysLimit({ subjectIndex }: LimitRefusal): boolean {
  return subjectIndex > 0;
}

/** Which limit it was, its number, and the wait. */
function sentenceOf(refusal: LimitRefusal): string {
  const { kind, retryAfterMs } = refusal;
  const limit = limitOf(refusal);
  const whose = isKeysLimit(refusal) ? "This API key's limit" : 'The limit';
  const requests = limit === 1 ? '1 request' : `${limit ?? 'the'} requests`;
  const named = `${whose} of ${requests} ${UNIT[kind]}`;
  if (limit === 0) return `${named} admits none.`;
  return `${named} is reached. ${adviceOf(kind, retryAfterMs)}`;
}

const UNIT: Readonly<Record<LimitKind, string>> = {
  rpm: 'per minute',
  rpd: 'per day',
  concurrency: 'in flight',
};

function adviceOf(kind: LimitKind, retryAfterMs: number): string {
  switch (kind) {
    case 'rpm':
      return `Please wait ${Math.max(1, seconds(retryAfterMs))} s and try again.`;
    case 'rpd':
      return 'It starts anew at midnight UTC.';
    case 'concurrency':
      return 'Please wait for one to finish.';
    default:
      return assertNever(kind);
  }
}

const KEY_REASON: Readonly<Record<LimitKind, DenialReason>> = {
  rpm: 'key_rpm',
  rpd: 'key_rpd',
  concurrency: 'key_concurrency',
};

/** The subject with the least left speaks for all; what has no limit has no number. */
function tellLimits(states: readonly LimitState[]): LimitsTold {
  const minute = tightest(states, minuteLeft);
  const day = tightest(states, dayLeft);
  const headers: Record<string, string> = {};
  const policies: string[] = [];
  const limitsLeft: string[] = [];
  const minuteLimit = minute?.limits.requestsPerMinute;
  if (minute !== undefined && minuteLimit !== undefined) {
    const left = minuteLeft(minute) ?? 0;
    const reset = seconds(minute.minuteResetMs);
    headers['X-RateLimit-Limit-Requests'] = String(minuteLimit);
    headers['X-RateLimit-Remaining-Requests'] = String(left);
    headers['X-RateLimit-Reset-Requests'] = `${reset}s`;
    headers.RateLimit = `"rpm";r=${left};t=${reset}`;
    policies.push(`"rpm";q=${minuteLimit};w=60`);
    limitsLeft.push(`rpm ${left}/${minuteLimit}`);
  }
  const dayLimit = day?.limits.requestsPerDay;
  if (day !== undefined && dayLimit !== undefined) {
    const left = dayLeft(day) ?? 0;
    headers.RateLimit ??= `"rpd";r=${left};t=${seconds(day.dayResetMs)}`;
    policies.push(`"rpd";q=${dayLimit};w=86400`);
    limitsLeft.push(`rpd ${left}/${dayLimit}`);
  }
  if (policies.length > 0) headers['RateLimit-Policy'] = policies.join(', ');
  return { headers, limitsLeft: limitsLeft.join(' ') };
}

function minuteLeft({ limits, minuteCount }: LimitState): number | undefined {
  if (limits.requestsPerMinute === undefined) return undefined;
  return Math.max(0, limits.requestsPerMinute - minuteCount);
}

function dayLeft({ limits, dayCount }: LimitState): number | undefined {
  if (limits.requestsPerDay === undefined) return undefined;
  return Math.max(0, limits.requestsPerDay - dayCount);
}

/** The state with the least left by the measure; undefined when none is limited. */
function tightest(
  states: readonly LimitState[],
  left: (state: LimitState) => number | undefined,
): LimitState | undefined {
  let found: LimitState | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const state of states) {
    const value = left(state);
    if (value !== undefined && value < least) {
      least = value;
      found = state;
    }
  }
  return found;
}

const seconds = (ms: number): number => Math.ceil(ms / 1000);
