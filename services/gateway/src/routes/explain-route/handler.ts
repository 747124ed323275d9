import { formatAmount, nano } from '@tollgate/core';
import type { completionV1 } from '@tollgate/protos';
import type { CompletionClient } from '../../clients/completion-client';
import { actsAsOperator } from '../../domain/principal';
import { fromChatBody } from '../create-chat-completion/chat-request';
import { toCompletionInput } from '../create-chat-completion/completion-input';
import { type Operation, operation } from '../route';
import { explainRouteSchema } from './schema';

const DEADLINE_MS = 5000;

/** The choice that a completion would make now; nothing is called and nothing is charged. */
export function createExplainRoute(client: CompletionClient): Operation {
  return operation(explainRouteSchema, async ({ principal, body, context }) => {
    const input = toCompletionInput(fromChatBody(body), principal, context.exchange);
    const { model, candidates } = await client.explain(input, {
      ...context.rpc,
      deadlineMs: DEADLINE_MS,
    });
    const operator = actsAsOperator(principal);
    return { data: { model, candidates: candidates.map((each) => toCandidate(each, operator)) } };
  });
}

function toCandidate(candidate: completionV1.RouteCandidate, operator: boolean) {
  const { channelId: id, channelName: name } = candidate;
  return {
    rank: candidate.rank,
    model: candidate.model,
    eligible: candidate.eligible,
    reasons: candidate.reasons,
    estimated_amount: formatAmount(nano(candidate.estimatedAmount)),
    channel: operator && id !== '' ? { id, name } : null,
  };
}
