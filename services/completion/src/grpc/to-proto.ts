import type { AppError, Nano } from '@tollgate/core';
import { completionV1 } from '@tollgate/protos';
import { type Sent, toFailure } from '@tollgate/rpc';
import type { ActiveRun } from '../operations/active-runs';
import type { CompletionAnswer } from '../operations/complete';
import type { ExplainedCandidate } from '../operations/explain';
import type { LeaseDisposition } from '../operations/recall';
import type { AnswerHead, AnswerUsage } from '../operations/request';

export function toProtoHead(head: AnswerHead): completionV1.StreamHead {
  const { model, attempts, channelId } = head;
  return { model, created: BigInt(head.created), attempts, channelId };
}

export function toProtoComplete(answer: CompletionAnswer): completionV1.CompleteResponse {
  const { head, choices, usage, amount } = answer;
  return { ...toProtoHead(head), choices, usage: toProtoUsage(usage), amount };
}

export function toProtoEnd(
  usage: AnswerUsage,
  amount: Nano,
  failure: AppError | undefined,
): completionV1.StreamEnd {
  return {
    usage: toProtoUsage(usage),
    amount,
    failure: failure === undefined ? undefined : toFailure(failure),
  };
}

function toProtoUsage(usage: AnswerUsage): completionV1.Usage {
  const { promptTokens, completionTokens } = usage;
  return { ...usage, totalTokens: promptTokens + completionTokens };
}

const DISPOSITIONS = {
  closing: completionV1.LeaseDisposition.CLOSING,
  busy: completionV1.LeaseDisposition.BUSY,
  unknownClosed: completionV1.LeaseDisposition.UNKNOWN_CLOSED,
  notHolder: completionV1.LeaseDisposition.NOT_HOLDER,
} as const satisfies Record<LeaseDisposition, completionV1.LeaseDisposition>;

export function toProtoDisposition(
  disposition: LeaseDisposition,
): completionV1.RecallLeaseResponse {
  return { disposition: DISPOSITIONS[disposition] };
}

const ACTIVE_MAX = 100;

/** The sums are of all that run, also of those beyond the bound of the list. */
export function toProtoActive(runs: readonly ActiveRun[]): completionV1.ListActiveRequestsResponse {
  return {
    requests: runs.slice(0, ACTIVE_MAX).map(({ head, request, reservation, startedAtMs }) => ({
      requestId: request.requestId,
      clientRequestId: request.clientRequestId ?? '',
      accountId: request.caller.accountId,
      keyId: request.caller.keyId,
      requestedModel: request.model,
      model: head.model,
      channelId: head.channelId,
      attempts: head.attempts,
      reserved: reservation.amount,
      startedAtMs: BigInt(startedAtMs),
    })),
    count: runs.length,
    reserved: runs.reduce((sum, { reservation }) => sum + reservation.amount, 0n),
  };
}

/** Channels are named to operators only. */
export function toProtoCandidate(
  explained: ExplainedCandidate,
  operator: boolean,
): Sent<completionV1.RouteCandidate> {
  const { candidate, rank, eligible, reasons, estimate, figures } = explained;
  return {
    rank,
    model: candidate.model.name,
    eligible,
    reasons,
    channelId: operator ? candidate.channel.id : '',
    channelName: operator ? candidate.channel.name : '',
    estimatedAmount: estimate,
    figures: operator ? toProtoFigures(figures) : undefined,
  };
}

function toProtoFigures(figures: ExplainedCandidate['figures']): completionV1.CandidateFigures {
  const { cooldownMs, expectedMs, firstTokenMs, tokensPerSecond, ...rest } = figures;
  const rounded = (value: number | undefined) =>
    value === undefined ? undefined : Math.round(value);
  return {
    ...rest,
    firstTokenMs: rounded(firstTokenMs),
    tokensPerSecond: rounded(tokensPerSecond),
    expectedMs: rounded(expectedMs),
    cooldownMs: rounded(cooldownMs),
  };
}
