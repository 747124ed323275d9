import { type Nano, priceOf, type UsageOutcome } from '@tollgate/core';
import type { CompletionMetrics } from '../metrics';
import { usualTokensOf } from '../usage/estimate';
import type { AbandonedWork } from './abandoned-work';
import { promptWeightOf } from './request';
import type { FinishedRequest, WorkedTokens } from './worked-tokens';

interface CostNotes {
  readonly abandoned: AbandonedWork;
  readonly metrics: Pick<CompletionMetrics, 'channelLabel' | 'chargedByChannel' | 'vendorAbsorbed'>;
}

/** Notes, when a request has ended, what its account and what the operator paid. */
export function noteCost(
  { abandoned, metrics }: CostNotes,
  finished: FinishedRequest,
  outcome: UsageOutcome,
  worked: WorkedTokens,
): void {
  const { amount, latencyMs, reason, source, vendorAbsorbed } = outcome;
  const { candidate, prices, request } = finished;
  const { accountId } = request.caller;
  const noteAbsorbed = (cause: string, cost: Nano) =>
    metrics.vendorAbsorbed.inc({ cause }, Number(cost) / 1e9);
  const costOf = (tokens: { prompt: number; completion: number }) =>
    priceOf(prices, { ...tokens, cached: 0 });
  if (amount > 0n) {
    abandoned.notePaid(accountId, amount);
    const channel = metrics.channelLabel(candidate.channel);
    metrics.chargedByChannel.inc({ channel }, Number(amount) / 1e9);
  }
  if (source === 'exact') abandoned.noteCounted(finished, outcome);
  if (reason === 'client_gone' && source === 'partial') {
    const unseen = abandoned.unseenTokensOf(finished);
    const cost = costOf({ prompt: 0, completion: unseen });
    // It is 0 at the account's own channel: there the account pays the vendor itself.
    if (cost > 0n) {
      abandoned.noteAbandoned(accountId, unseen, cost);
      noteAbsorbed('unseen_thoughts', cost);
    }
  }
  // The last call did no work where it has no prompt.
  const hasWorked = source === 'partial' || (vendorAbsorbed > 0n && worked.tokens.prompt > 0);
  const isCounted = worked.exact !== undefined || worked.isPromptExact === true;
  if (reason === 'client_gone' && hasWorked && !isCounted) {
    // Others' files say too little about this one to refuse its account anything.
    const cost = costOf({ prompt: abandoned.uncountedTokensOf(finished), completion: 0 });
    if (cost > 0n) noteAbsorbed('uncounted_media', cost);
  }
  if (vendorAbsorbed === 0n) return;
  // An answer that was delivered is paid for: the operator pays the attempts beside it.
  noteAbsorbed(source === 'none' ? reason : 'other_call', vendorAbsorbed);
  if (isTooLong(outcome)) {
    const { completion, prompt } = worked.tokens;
    abandoned.noteAbandoned(accountId, prompt + completion, priceOf(prices, worked.tokens));
  }
  if (reason !== 'client_gone' || source !== 'none') return;
  const { completion: known, prompt } = worked.tokens;
  // The last call did no work, so no answer was left.
  if (prompt === 0) return;
  // The vendor's own count holds; ours has no thoughts, and nothing of what was not read.
  const made =
    worked.exact === undefined
      ? Math.max(known, abandoned.unreadTokensOf(finished, latencyMs))
      : known;
  const left = { prompt: usualTokensOf(promptWeightOf(request)), completion: made, cached: 0 };
  abandoned.noteAbandoned(accountId, left.prompt + made, priceOf(prices, left));
  noteAbsorbed(reason, priceOf(prices, { prompt: 0, completion: made - known, cached: 0 }));
}

/** Its vendor made all of it, and the account asked for more than is handed over in one piece. */
function isTooLong({ errorCode, reason }: UsageOutcome): boolean {
  return reason === 'internal_error' && errorCode === 'UPSTREAM_ERROR';
}
