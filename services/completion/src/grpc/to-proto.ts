import type { AppError, Nano } from '@tollgate/core';
import { completionV1 } from '@tollgate/protos';
import { toFailure } from '@tollgate/rpc';
import type { AnswerHead, AnswerUsage } from '../domain/completion-request';
import type { RecallDisposition } from '../leases/lease-parts';
import type { CompletionAnswer } from '../operations/complete';
import type { ExplainedCandidate } from '../operations/explain-route';

function toProtoUsage(usage: AnswerUsage): completionV1.Usage {
  const { promptTokens, completionTokens, cachedTokens } = usage;
  const totalTokens = promptTokens + completionTokens;
  return { promptTokens, completionTokens, totalTokens, cachedTokens };
}

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

const DISPOSITIONS = {
  closing: completionV1.LeaseDisposition.CLOSING,
  busy: completionV1.LeaseDisposition.BUSY,
  unknown_closed: completionV1.LeaseDisposition.UNKNOWN_CLOSED,
  not_holder: completionV1.LeaseDisposition.NOT_HOLDER,
} as const satisfies Record<RecallDisposition, completionV1.LeaseDisposition>;

export function toProtoDisposition(
  disposition: RecallDisposition,
): completionV1.RecallLeaseResponse {
  return { disposition: DISPOSITIONS[disposition] };
}

/** Channels are named to operators only. */
export function toProtoCandidate(
  candidate: ExplainedCandidate,
  operator: boolean,
): completionV1.RouteCandidate {
  const { offer, rank, eligible, reasons, estimate } = candidate;
  return {
    rank,
    model: offer.model.name,
    eligible,
    reasons: [...reasons],
    channelId: operator ? offer.channel.id : '',
    channelName: operator ? offer.channel.name : '',
    estimatedAmount: estimate,
  };
}
