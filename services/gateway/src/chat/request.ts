import type { JsonObject } from '@tollgate/core';
import type { completionV1 } from '@tollgate/protos';
import { toCompletionPeriod } from '@tollgate/rpc';
import { actsAsOperator, groupsOf, type Principal } from '../auth/principal';
import type { HttpExchange } from '../http/exchange';
import type { AccountPlan } from '../limits/plan-table';
import { readMaxCost } from './max-cost';

/** Fields that are not sent on (`*` where the name is no plain word), and what they may have meant. */
export interface IgnoredFields {
  readonly names: readonly string[];
  readonly inWords: string;
}

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
  /** Vectors are asked for: the messages are an array of texts. */
  readonly embedding?: completionV1.Embedding;
  /** The fields of the request that an answer of the format repeats. */
  readonly echo?: JsonObject;
  /** Fields that are not known, of which the answer and the log tell; absent without any. */
  readonly ignored?: IgnoredFields;
}

/** The fields of a principal that completion needs. */
export type JudgedPrincipal = Pick<
  Principal,
  | ('accountId' | 'keyId' | 'userId')
  | ('kind' | 'operator' | 'scopes')
  | ('models' | 'pools' | 'grantedGroups' | 'terms' | 'budget')
>;

/** Who asks, and what the account's plan allows at this moment. */
export interface PrincipalAndPlan<P extends JudgedPrincipal = Principal> {
  readonly principal: P;
  readonly plan: AccountPlan;
}

/**
 * The request to completion: the checked body, who asks, and what its headers say of its cost.
 * `limitsLeft` is what account and key may still ask this minute and today; empty without limits.
 */
export function toCompletionInput(
  request: ChatRequest,
  { principal, plan }: PrincipalAndPlan<JudgedPrincipal>,
  { requestId, clientRequestId, request: { headers } }: HttpExchange,
  limitsLeft = '',
): completionV1.CompletionInput {
  return {
    requestId,
    clientRequestId,
    caller: callerOf(principal, plan),
    model: request.model,
    messages: request.messages,
    parameters: request.parameters,
    messageCount: request.messageCount,
    media: request.media,
    maxCost: readMaxCost(headers),
    fallbackModels: [...request.fallbackModels],
    keeping: undefined,
    embedding: request.embedding,
    limitsLeft,
    ignoredMembers: request.ignored?.names.join(' ') ?? '',
    // These two are set where the request is opened; `explain` sends them as metadata.
    deadlineMs: 0,
    traceparent: '',
  };
}

// A principal lives as long as its cache entry: its wire form is made once for each plan table.
const callers = new WeakMap<JudgedPrincipal, { plan: AccountPlan; caller: completionV1.Caller }>();

function callerOf(principal: JudgedPrincipal, plan: AccountPlan): completionV1.Caller {
  let made = callers.get(principal);
  if (made === undefined || made.plan !== plan) {
    made = { plan, caller: toCaller(principal, plan) };
    callers.set(principal, made);
  }
  return made.caller;
}

function toCaller(principal: JudgedPrincipal, plan: AccountPlan): completionV1.Caller {
  const { accountId, keyId, userId, models, pools, budget } = principal;
  return {
    accountId,
    keyId,
    userId,
    operator: actsAsOperator(principal),
    models: [...models],
    pools: [...pools],
    grantedGroups: groupsOf(principal, plan),
    accountModels: accountModelsOf(principal, plan),
    discount: principal.terms.discount,
    maxBudget: budget?.limit,
    budgetPeriod: toCompletionPeriod(budget?.period ?? 'none'),
  };
}

/** The models that the account may use; empty means every one. */
export function accountModelsOf({ terms }: Pick<Principal, 'terms'>, plan: AccountPlan): string[] {
  return [...(terms.models.length > 0 ? terms.models : plan.models)];
}
