import { crc32 } from 'node:zlib';
import { AppError } from '@tollgate/core';
import { type CostInput, leastCostMax } from '../credit/cost-range';
import { withoutThoughts } from '../domain/earlier-thoughts';
import type { VendorPort } from '../domain/vendor';
import { findInexpressibleIn, inexpressibleEmbedding } from '../domain/vendor-abilities';
import { type Candidate, candidatePricesOf } from '../routing/candidate';
import type { HealthLookup } from '../routing/health';
import { parseModelName, type RouteQuery } from '../routing/route-query';
import {
  mediaTokensMax,
  mediaTokensUsual,
  promptTokensMax,
  promptTokensToReserve,
  tokensMinOf,
  usualTokensOf,
} from '../usage/estimate';
import { type CompletionRequest, promptTextBytesOf, promptWeightOf } from './request';

/** They decide among equal channels. `explain` peeks at the one that the next request takes. */
export interface TieBreakers {
  /** 32 bits, the same until they are taken. */
  peek(): number;
  take(): number;
}

/** Made of numbers in [0, 1). */
export function createTieBreakers(random: () => number): TieBreakers {
  const draw = () => Math.floor(random() * 2 ** 32);
  let next = draw();
  return {
    peek: () => next,
    take() {
      const taken = next;
      next = draw();
      return taken;
    },
  };
}

/** The request as the choice of a channel sees it. */
export function toRouteQuery(
  request: CompletionRequest,
  tieBreaker: () => number,
  monotonicNowMs: number,
): RouteQuery {
  const { caller, embedding, media, messageCount } = request;
  const promptTextBytes = promptTextBytesOf(request);
  const query: RouteQuery = {
    accountId: caller.accountId,
    operator: caller.operator,
    name: parseModelName(request.model),
    kind: embedding === undefined ? 'chat' : 'embedding',
    models: caller.models,
    accountModels: caller.accountModels,
    discount: caller.discount,
    keyGroups: caller.keyGroups,
    grantedGroups: caller.grantedGroups,
    capabilities: request.capabilities,
    capabilityParam: request.capabilityParam,
    inexpressible:
      embedding === undefined ? findInexpressibleIn(request.parameters) : inexpressibleEmbedding,
    maxTokens: request.maxTokens,
    promptUsual: usualTokensOf(promptWeightOf(request)),
    promptToReserve: promptTokensToReserve(promptTextBytes, messageCount) + mediaTokensUsual(media),
    promptTokensMax: promptTokensMax(promptTextBytes, messageCount),
    mediaTokensMax: mediaTokensMax(media),
    promptExceeds: promptExceeds(request),
    choices: request.choices,
    costMax: request.costMax,
    leastCostMax: (candidate) => leastCostMax(costInputOf(candidate, query)),
    tieBreaker: tieBreakerOf(request, tieBreaker),
    conversationHash: conversationHashOf(request),
    monotonicNowMs,
  };
  return query;
}

// Bytes answer almost always; the text is looked at once, when they do not.
function promptExceeds(request: CompletionRequest): (tokens: number) => boolean {
  const { embedding, media, messages } = request;
  // The context bounds each text for itself, so their sum says nothing.
  if (embedding !== undefined) return () => false;
  let tokensMin: number | undefined;
  return (tokens) => {
    // Images are for the vendor to count.
    if (media.images + media.files > 0 || messages.length <= tokens) return false;
    // Vendors leave out what was thought before.
    tokensMin ??= tokensMinOf(withoutThoughts(messages));
    return tokensMin > tokens;
  };
}

// With temperature 0 equal requests must go the same way, so that their answers can be equal.
function tieBreakerOf(request: CompletionRequest, drawn: () => number): number {
  if (request.parameters.temperature !== 0) return drawn();
  const { capabilityMembers } = request.parameters;
  return crc32(request.model, crc32(capabilityMembers, crc32(request.messages)));
}

/** Vendors keep no shorter prompts: 1,024 tokens of usual text. */
const CACHED_BYTES_MIN = 4096;
const CONVERSATION_BYTES_MAX = 1 << 18;
const FIRST_ANSWER = Buffer.from(',{"role":"assistant"');

/** Of the account, and of the conversation up to its first answer: no later turn changes them. */
function conversationHashOf(request: CompletionRequest): (() => number) | undefined {
  const { caller, embedding, messages } = request;
  if (embedding !== undefined || promptTextBytesOf(request) < CACHED_BYTES_MIN) return undefined;
  return () => {
    const within = messages.subarray(0, Math.min(messages.length - 1, CONVERSATION_BYTES_MAX));
    const answer = within.indexOf(FIRST_ANSWER);
    return crc32(answer < 0 ? within : within.subarray(0, answer), crc32(caller.accountId));
  };
}

/** The figures that a reservation for this candidate depends on. */
export function costInputOf(candidate: Candidate, query: RouteQuery): CostInput {
  const promptMax = query.promptTokensMax + mediaTokensWithin(candidate, query);
  return {
    prices: candidatePricesOf(candidate, query.discount),
    // The usual count of files may be more than a short context takes.
    promptEstimate: Math.min(query.promptToReserve, promptMax),
    promptTokensMax: promptMax,
    choices: query.choices,
    maxTokens: query.maxTokens,
    completionTokensMax: query.kind === 'chat' ? candidate.model.completionTokensMax : 0,
    costMax: query.costMax,
  };
}

// Images and files have no more tokens than the vendor takes; the bound of text is its bytes.
function mediaTokensWithin({ model }: Candidate, { mediaTokensMax: max }: RouteQuery): number {
  return model.vendorTokensMax === 0 ? max : Math.min(max, model.vendorTokensMax);
}

/**
 * Returns what `choose` finds for the model and for each of its fallbacks, in order. A name that
 * does not exist or may not be used is refused wherever it stands; any other refusal holds only when
 * no name has an answer, and then it is the first.
 */
export function forEachName<Chosen>(
  { fallbackModels, model }: CompletionRequest,
  query: RouteQuery,
  choose: (query: RouteQuery) => Chosen,
): readonly Chosen[] {
  const chosen: Chosen[] = [];
  let refusal: unknown;
  for (const [place, name] of [model, ...fallbackModels].entries()) {
    try {
      chosen.push(choose(place === 0 ? query : { ...query, name: parseModelName(name) }));
    } catch (error) {
      if (!(error instanceof AppError) || fallbackModels.length === 0) throw error;
      if (error.param === 'model') throw place === 0 ? error : atFallback(error, place - 1);
      refusal ??= error;
    }
  }
  if (chosen.length === 0) throw refusal;
  return chosen;
}

function atFallback({ code, publicMessage }: AppError, place: number): AppError {
  return new AppError(code, { publicMessage, param: `models[${place}]` });
}

/** The channels as the account of the request finds them. */
export function healthFor(
  { vendors }: { readonly vendors: Pick<VendorPort, 'healthOf'> },
  { caller }: Pick<CompletionRequest, 'caller'>,
): HealthLookup {
  return (candidate) => vendors.healthOf(candidate, caller.accountId);
}
