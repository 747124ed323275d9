import { crc32 } from 'node:zlib';
import { AppError, type Clock } from '@tollgate/core';
import {
  type CostInput,
  type CostRange,
  costRangeOf,
  coverAll,
  leastCostMax,
  withPromptAtMost,
} from '../credit/cost-range';
import { withoutThoughts } from '../domain/earlier-thoughts';
import type { VendorPort } from '../domain/vendor';
import { findInexpressibleIn, inexpressibleEmbedding } from '../domain/vendor-abilities';
import { type Candidate, candidatePricesOf, isOwnChannel } from '../routing/candidate';
import { chooseRoute } from '../routing/choose';
import type { HealthLookup } from '../routing/health';
import type { RouteQuery } from '../routing/route-query';
import { parseModelName } from '../routing/route-query';
import { type RouteTable, requireTable } from '../routing/route-table';
import {
  mediaTokensMax,
  mediaTokensUsual,
  promptTokensMax,
  promptTokensToReserve,
  tokensMinOf,
} from '../usage/estimate';
import { type CompletionRequest, promptTextBytesOf } from './request';

/** The state that a choice of channels depends on besides the request. */
export interface PlanDependencies {
  /** Undefined before the first table came. */
  readonly routeTable: () => RouteTable | undefined;
  readonly vendors: Pick<VendorPort, 'healthOf'>;
  readonly tieBreakers: TieBreakers;
  readonly clock: Pick<Clock, 'monotonicMs'>;
}

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

/** How a request is to be served and paid. */
export interface RequestPlan {
  /** The channels that may be tried, best first, each with what the request may cost there. */
  readonly candidates: readonly PricedCandidate[];
  readonly first: PricedCandidate;
  /** All of them are channels of the account itself. */
  readonly isOwn: boolean;
  /** Covers the dearest of the candidates that are tried at most. */
  readonly credit: CostRange;
}

/** A candidate with what the request may cost there: reckoned once, asked for at every step. */
export interface PricedCandidate {
  readonly candidate: Candidate;
  readonly input: CostInput;
  readonly costRange: CostRange;
}

/** Chooses the channels and finds what may be spent on `attemptsMax` of them; throws refusals. */
export function planRequest(
  deps: PlanDependencies,
  request: CompletionRequest,
  attemptsMax: number,
): RequestPlan {
  const query = toRouteQuery(request, deps.tieBreakers.take, deps.clock.monotonicMs());
  const table = requireTable(deps.routeTable());
  const candidatesPerName = forEachName(request, query, (named) =>
    chooseRoute(table, healthFor(deps, request), named, attemptsMax),
  );
  // Whoever owns the key chooses its budget. With one that is too small, a prompt that the vendor
  // counts higher than we estimate would be paid by nobody.
  const reservesPromptAtMost = request.caller.budget !== undefined;
  return planOf(
    shareAttempts(candidatesPerName, attemptsMax).map((candidate) => {
      const input = costInputOf(candidate, query);
      return pricedAt(candidate, reservesPromptAtMost ? withPromptAtMost(input) : input);
    }),
  );
}

/**
 * The plan with every prompt reckoned at its most: a candidate is called only when the reservation
 * pays for that.
 */
export function withPromptsAtMost({ candidates }: RequestPlan): RequestPlan {
  return planOf(
    candidates.map(({ candidate, input }) => pricedAt(candidate, withPromptAtMost(input))),
  );
}

function pricedAt(candidate: Candidate, input: CostInput): PricedCandidate {
  return { candidate, input, costRange: costRangeOf(input) };
}

function planOf(candidates: readonly PricedCandidate[]): RequestPlan {
  const [first, ...others] = candidates;
  if (first === undefined) throw new AppError('INTERNAL_ERROR');
  const credit = coverAll(
    first.costRange,
    others.map(({ costRange }) => costRange),
  );
  const isOwn = candidates.every(({ candidate }) => isOwnChannel(candidate));
  return { candidates, first, isOwn, credit };
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

/**
 * Every name keeps an attempt, as far as there are any; the earlier ones have the others. When there
 * are fewer attempts than names, those at the end have none. What a name does not use, because those
 * before it have all of its candidates, goes to the earlier ones.
 */
function shareAttempts(
  candidatesPerName: readonly (readonly Candidate[])[],
  attemptsMax: number,
): readonly Candidate[] {
  const shared = new Set<Candidate>();
  for (const [place, candidates] of candidatesPerName.entries()) {
    const left = attemptsMax - shared.size;
    const kept = Math.min(candidatesPerName.length - place - 1, Math.max(0, left - 1));
    for (const candidate of candidates) {
      if (shared.size >= attemptsMax - kept) break;
      shared.add(candidate);
    }
  }
  for (const candidate of candidatesPerName.flat()) {
    if (shared.size >= attemptsMax) break;
    shared.add(candidate);
  }
  return [...shared];
}

/** The figures that a reservation for this candidate depends on. */
function costInputOf(candidate: Candidate, query: RouteQuery): CostInput {
  const promptMax = query.promptTokensMax + mediaTokensWithin(candidate, query);
  return {
    prices: candidatePricesOf(candidate, query.discount),
    // The usual count of files may be more than a short context takes.
    promptEstimate: Math.min(query.promptEstimate, promptMax),
    promptTokensMax: promptMax,
    choices: query.choices,
    maxTokens: query.maxTokens,
    completionTokensMax: query.kind === 'chat' ? candidate.model.completionTokensMax : 0,
    costMax: query.costMax,
  };
}

// Images and files have no more tokens than the model's context; the bound of text is its bytes.
function mediaTokensWithin({ model }: Candidate, { mediaTokensMax: max }: RouteQuery): number {
  return model.contextTokensMax === 0 ? max : Math.min(max, model.contextTokensMax);
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
    keyGroups: caller.groups,
    grantedGroups: caller.grantedGroups,
    capabilities: request.capabilities,
    capabilityParam: request.capabilityParam,
    inexpressible:
      embedding === undefined ? findInexpressibleIn(request.parameters) : inexpressibleEmbedding,
    maxTokens: request.maxTokens,
    promptEstimate: promptTokensToReserve(promptTextBytes, messageCount) + mediaTokensUsual(media),
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

/** The channels as the account of the request finds them. */
export function healthFor(
  { vendors }: Pick<PlanDependencies, 'vendors'>,
  { caller }: Pick<CompletionRequest, 'caller'>,
): HealthLookup {
  return (candidate) => vendors.healthOf(candidate, caller.accountId);
}
