import { crc32 } from 'node:zlib';
import { AppError } from '@tollgate/core';
import { chooseRoute, type RouteQuery } from '../domain/choose-route';
import { type CompletionRequest, promptBytesOf } from '../domain/completion-request';
import { type DrawInput, FREE_PRICES } from '../domain/draw';
import { parseModelName } from '../domain/model-name';
import { estimatePromptTokens, promptTokensMax, promptTokensMin } from '../domain/prompt-size';
import type { Offer, RouteTable } from '../domain/route-table';
import type { CompletionDependencies } from './dependencies';

type PlanningDependencies = Pick<CompletionDependencies, 'routeTable' | 'vendors' | 'random'>;

/** The table, or 503 while routing has not sent one. */
export function requireTable(deps: PlanningDependencies): RouteTable {
  const table = deps.routeTable();
  if (table !== undefined) return table;
  throw new AppError('SERVICE_UNAVAILABLE', {
    internalMessage: 'no route table yet',
    retryAfterMs: 1000,
  });
}

/** The request as the choice of a channel sees it. */
export function toRouteQuery(request: CompletionRequest, random: () => number): RouteQuery {
  const { caller, messageCount } = request;
  const promptBytes = promptBytesOf(request);
  return {
    accountId: caller.accountId,
    operator: caller.operator,
    name: parseModelName(request.model),
    models: caller.models,
    pools: caller.pools,
    grantedGroups: caller.grantedGroups,
    capabilities: request.capabilities,
    capabilityParam: request.capabilityParam,
    maxTokens: request.maxTokens,
    promptEstimate: estimatePromptTokens(promptBytes, messageCount),
    promptTokensMax: promptTokensMax(promptBytes, messageCount),
    promptExceeds: promptExceeds(request),
    choices: request.choices,
    seed: seedOf(request, random),
  };
}

/** Channels for the request, best first; never empty. */
export function planRoute(
  deps: PlanningDependencies,
  request: CompletionRequest,
): { readonly offers: readonly Offer[]; readonly query: RouteQuery } {
  const query = toRouteQuery(request, deps.random);
  const offers = chooseRoute(requireTable(deps), deps.vendors.views, query);
  return { offers, query };
}

/** What a draw for this offer depends on; the account's own channels cost nothing. */
export function drawInputOf(offer: Offer, query: RouteQuery): DrawInput {
  return {
    prices: isOwn(offer) ? FREE_PRICES : offer.model.prices,
    promptEstimate: query.promptEstimate,
    promptTokensMax: query.promptTokensMax,
    choices: query.choices,
    maxTokens: query.maxTokens,
    completionTokensMax: offer.model.completionTokensMax,
  };
}

/** True for a channel of the account itself. */
export function isOwn(offer: Offer): boolean {
  return offer.channel.ownerAccountId !== null;
}

// Bytes answer almost always; the text is looked at once, when they do not.
function promptExceeds({ messages }: CompletionRequest): (tokens: number) => boolean {
  let tokensMin: number | undefined;
  return (tokens) => {
    if (messages.length <= tokens) return false;
    tokensMin ??= promptTokensMin(messages);
    return tokensMin > tokens;
  };
}

// With temperature 0 equal requests must go the same way, so that their answers can be equal.
function seedOf(request: CompletionRequest, random: () => number): number {
  if (request.parameters.temperature !== 0) return Math.floor(random() * 2 ** 32);
  const { capabilityMembers } = request.parameters;
  return crc32(request.model, crc32(capabilityMembers, crc32(request.messages)));
}
