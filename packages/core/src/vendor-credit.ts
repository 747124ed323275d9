import { isObject, type JsonObject } from './json';

/** Vendors' names of the error, as code, type, status or the reason of a detail. */
const NAMES: ReadonlySet<string> = new Set([
  'insufficient_quota',
  'insufficient_user_quota',
  'insufficient_balance',
  'insufficient_credits',
  'billing_error',
  'billing_hard_limit_reached',
  'billing_not_active',
  'exceeded_current_quota_error',
  'arrearage',
  'billing_disabled',
]);

/** How sentences begin by which vendors say it under the names and statuses of other errors. */
const WORDS =
  /^(?:your credit balance is too low|insufficient (?:account )?(?:balance|credits?|funds)|your prepayment credits are depleted|you (?:are|have run) out of credits|your newly created team doesn't have any credits|your team \S+ has (?:either )?used all available credits)/i;

/** Statuses that mean it where the body says so; 402 means it without a word. */
export const CREDIT_STATUSES: ReadonlySet<number> = new Set([400, 403, 412, 429]);

/**
 * Whether a vendor refuses because the account of the credential has nothing left to spend there.
 * It is answered like a limit by some and like a bad request by others, and waiting does not help.
 * `error` is the field `error` of the answer; a stream has no status of its own.
 */
export function isOutOfCredit(status: number | undefined, error: JsonObject | undefined): boolean {
  if (status === 402) return true;
  if (error === undefined || (status !== undefined && !CREDIT_STATUSES.has(status))) return false;
  const { code, type, status: name, message } = error;
  const reasons = Array.isArray(error.details)
    ? error.details.map((detail: unknown) => (isObject(detail) ? detail.reason : undefined))
    : [];
  const names = [code, type, name, ...reasons];
  return (
    names.some((one) => typeof one === 'string' && NAMES.has(one.toLowerCase())) ||
    (typeof message === 'string' && WORDS.test(message))
  );
}
