import {
  AppError,
  type Clock,
  createBoundedMap,
  MINUTE_MS,
  type UsageOutcome,
} from '@tollgate/core';
import type { CompletionMetrics } from '../metrics';
import type { Candidate } from '../routing/candidate';
import { usualTokensOf } from '../usage/count';
import { type CompletionRequest, promptWeightOf } from './request';

/**
 * Bounds how much an account makes vendors work for answers of which it takes nothing: a client that
 * leaves before its first text pays nothing, and the operator pays the vendor.
 */
export interface AbandonedWork {
  /** Throws RATE_LIMIT_EXCEEDED when the account has abandoned too much in this minute. */
  requireFew(accountId: string): void;
  /** A client left a prompt of so many tokens that a vendor had got. */
  noteAbandoned(accountId: string, promptTokens: number): void;
  /** The account paid for so many tokens. */
  notePaid(accountId: string, tokens: number): void;
}

/**
 * What may be abandoned in a minute besides as much as was paid for: editors ask for a completion at
 * each pause of their users and leave most of them, a hundred times two thousand tokens.
 */
const TOKENS_PER_MINUTE_MAX = 200_000;
/** What a vendor may have written before it heard. */
const TOKENS_PER_ANSWER = 500;
const ACCOUNTS_MAX = 100_000;

interface Minute {
  readonly number: number;
  abandoned: number;
  paid: number;
}

/** Starts without any; minutes are the same for all accounts. */
export function createAbandonedWork(clock: Pick<Clock, 'monotonicMs'>): AbandonedWork {
  const minutes = createBoundedMap<string, Minute>(ACCOUNTS_MAX);
  const minuteOf = (accountId: string): Minute => {
    const number = Math.floor(clock.monotonicMs() / MINUTE_MS);
    const known = minutes.get(accountId);
    if (known?.number === number) return known;
    const minute = { number, abandoned: 0, paid: 0 };
    minutes.set(accountId, minute);
    return minute;
  };
  return {
    requireFew(accountId) {
      const { abandoned, number, paid } = minuteOf(accountId);
      if (abandoned <= TOKENS_PER_MINUTE_MAX + paid) return;
      throw new AppError('RATE_LIMIT_EXCEEDED', {
        publicMessage:
          'Too many requests of this account were left before their answers began. ' +
          'Please wait for the next minute.',
        retryAfterMs: (number + 1) * MINUTE_MS - clock.monotonicMs(),
      });
    },
    noteAbandoned(accountId, promptTokens) {
      minuteOf(accountId).abandoned += promptTokens + TOKENS_PER_ANSWER;
    },
    notePaid(accountId, tokens) {
      minuteOf(accountId).paid += tokens;
    },
  };
}

interface CostNotes {
  readonly abandoned: AbandonedWork;
  readonly metrics: Pick<CompletionMetrics, 'channelLabel' | 'vendorAbsorbed' | 'vendorCharged'>;
}

/** Notes of a request that ended what its account paid for it, and what nobody did. */
export function noteCost(
  { abandoned, metrics }: CostNotes,
  request: CompletionRequest,
  { channel }: Candidate,
  outcome: UsageOutcome,
): void {
  const { amount, completionTokens, promptTokens, reason, source, vendorAbsorbed } = outcome;
  const { accountId } = request.caller;
  if (amount > 0n) {
    abandoned.notePaid(accountId, promptTokens + completionTokens);
    metrics.vendorCharged.inc({ channel: metrics.channelLabel(channel) }, Number(amount) / 1e9);
  }
  if (vendorAbsorbed === 0n) return;
  const isAbandoned = reason === 'client_gone' && source === 'none';
  if (isAbandoned) abandoned.noteAbandoned(accountId, usualTokensOf(promptWeightOf(request)));
  // An answer that was delivered is paid for: the operator pays the attempts beside it.
  const cause = source === 'none' ? reason : 'other_call';
  metrics.vendorAbsorbed.inc({ cause }, Number(vendorAbsorbed) / 1e9);
}
