import type { JsonObject } from '@tollgate/core';
import type { completionV1 } from '@tollgate/protos';
import { toSessionPeriod } from '@tollgate/rpc';
import { actsAsOperator, type Principal } from '../auth/principal';
import type { HttpExchange } from '../http/exchange';

/** A checked chat request, whatever format it came in. */
export interface ChatRequest {
  readonly model: string;
  /** Names that are tried after it, in order. */
  readonly fallbackModels: readonly string[];
  /** Canonical JSON array, written once. */
  readonly messages: Buffer;
  readonly messageCount: number;
  /** Images and files in the messages. */
  readonly media: completionV1.Media | undefined;
  readonly stream: boolean;
  /** The stream ends with a usage frame. */
  readonly includeUsage: boolean;
  readonly parameters: completionV1.Parameters;
  /** What an answer of the format repeats of its request. */
  readonly echo?: JsonObject;
}

/** What completion is asked: the checked request, and who asks. */
export function toCompletionInput(
  request: ChatRequest,
  principal: Principal,
  { requestId, clientRequestId }: Pick<HttpExchange, 'requestId' | 'clientRequestId'>,
): completionV1.CompletionInput {
  return {
    requestId,
    clientRequestId,
    caller: callerOf(principal),
    model: request.model,
    messages: request.messages,
    parameters: request.parameters,
    messageCount: request.messageCount,
    media: request.media,
    fallbackModels: [...request.fallbackModels],
    // Set where the request is opened; explaining carries both in metadata.
    deadlineMs: 0,
    traceparent: '',
  };
}

// A principal lives as long as its cache entry: its wire form is made once.
const callers = new WeakMap<Principal, completionV1.Caller>();

function callerOf(principal: Principal): completionV1.Caller {
  let caller = callers.get(principal);
  if (caller === undefined) {
    caller = toCaller(principal);
    callers.set(principal, caller);
  }
  return caller;
}

function toCaller(principal: Principal): completionV1.Caller {
  const { accountId, keyId, userId, models, pools, grantedGroups, budget } = principal;
  return {
    accountId,
    keyId,
    userId,
    operator: actsAsOperator(principal),
    models: [...models],
    pools: [...pools],
    grantedGroups: [...grantedGroups],
    maxBudget: budget?.limit,
    budgetPeriod: toSessionPeriod(budget?.period ?? 'none'),
  };
}
