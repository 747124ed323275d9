import type { AppError } from '@tollgate/core';
import type { HttpExchange } from '../http/exchange';
import type { DenialCounter } from './denials';

/**
 * Counts a completion that is refused for want of money or of a right, or that nobody could serve.
 * Denials for want of room in a limit are counted where they are made, and completion's bound of
 * abandoned answers is no denial (docs/runbooks/answers-abandoned.md).
 */
export function countDenialOrUnserved(
  denials: Pick<DenialCounter, 'count'>,
  { principal, response }: Pick<HttpExchange, 'principal' | 'response'>,
  failure: AppError,
): void {
  if (principal === undefined) return;
  const { accountId } = principal;
  const keyId = principal.keyId || undefined;
  if (failure.code === 'INSUFFICIENT_BALANCE') denials.count(accountId, undefined, 'balance');
  if (failure.code === 'KEY_BUDGET_EXCEEDED') denials.count(accountId, keyId, 'budget');
  if (failure.code === 'FORBIDDEN') denials.count(accountId, keyId, 'forbidden');
  // Who left meanwhile was not there to be served.
  if (isUnserved(failure) && !response.destroyed) denials.count(accountId, keyId, 'unserved');
}

/** Nothing of it was begun: it may be repeated, and has no usage record. */
function isUnserved({ code, recorded, retryable }: AppError): boolean {
  return code === 'SERVICE_UNAVAILABLE' && retryable && !recorded;
}
