import {
  AppError,
  COST_MAX_HEADER,
  DEFAULT_GROUP,
  minNano,
  type Nano,
  nearestName,
  OWN_GROUP,
  priceOf,
  REJECTED_MAX,
  type RejectedCandidate,
} from '@tollgate/core';
import { type Candidate, candidatePricesOf, type RouteModel } from './candidate';
import { ChannelSet } from './channel-set';
import {
  type CandidateHealth,
  cooldownOf,
  type HealthLookup,
  obstacleSentence,
  soonestRetryMs,
} from './health';
import { isSticky, rank, wantedTokensOf } from './rank';
import {
  costLimit,
  notAllowed,
  notCapable,
  ofAnotherKind,
  promptTooLong,
  tokensAboveCap,
  type Unsupported,
  unknownModel,
  unnamed,
} from './refusals';
import { findVersionStem, type RouteQuery } from './route-query';
import { type RouteTable, setKeyOfGroup, setKeyOfOwner } from './route-table';

/**
 * The `countMax` best candidates that may serve the request, best first; never empty. Throws the
 * AppError that the client shall see otherwise, in the order of the contract: unknown, dated, not
 * allowed, cap, context or capability, the client's limit of cost, and last no healthy channel.
 */
export function chooseRoute(
  table: RouteTable,
  healthOf: HealthLookup,
  query: RouteQuery,
  countMax: number,
): readonly Candidate[] {
  const set = findChannelSet(table, query);
  requireFittingModel(set, query);
  const isEligible = (candidate: Candidate, { obstacle }: CandidateHealth) =>
    obstacle === undefined && misfitOf(candidate, query) === undefined;
  const chosen = rank(set, healthOf, query, isEligible, countMax);
  if (chosen.length > 0) return chosen;
  const fitting = selectCandidates(set, query).filter(({ model }) => isServable(model, query));
  const capable = fitting.filter((each) => isCapable(each, query));
  if (capable.length === 0 && fitting.length > 0) {
    throw notCapable(unsupportedBy(fitting, query));
  }
  const payable = capable.filter((each) => !exceedsCostMax(each, query));
  if (payable.length === 0 && capable.length > 0) {
    throw costLimit(capable.map(query.leastCostMax).reduce(minNano));
  }
  if (payable.length === 0) throw noneEnabled(table, query);
  throw new AppError('SERVICE_UNAVAILABLE', {
    publicMessage: 'No channel can serve this model at the moment. Please try again shortly.',
    retryAfterMs: soonestRetryMs(payable, healthOf),
    rejected: selectCandidates(set, query)
      .slice(0, REJECTED_MAX)
      .map((candidate) => ({
        channelId: candidate.channel.id,
        model: candidate.model.name,
        ...rejectionOf(candidate, healthOf, query),
      })),
  });
}

/** A guess: probes are a minute apart at first, as configured, and then further. */
const PROBED_RETRY_MS = 60_000;
/** Nobody knows when a person will; much longer than client libraries wait by themselves. */
const DISABLED_RETRY_MS = 600_000;

/** The refusal where no channel is enabled: a probe may end that, otherwise a person has to. */
function noneEnabled({ models }: RouteTable, query: RouteQuery): AppError {
  const { name, routing } = query.name;
  const meant = routing === undefined ? [models.get(name)] : [...models.values()];
  const isProbed = meant.some((model) => {
    return model?.recovering && model.kind === query.kind && isAllowed(model.name, query);
  });
  return new AppError('SERVICE_UNAVAILABLE', {
    publicMessage: isProbed
      ? 'The channels for this model failed and are disabled; they are tried again by themselves.'
      : 'No channel for this model is enabled. Whoever runs this service has to enable or add one.',
    retryAfterMs: isProbed ? PROBED_RETRY_MS : DISABLED_RETRY_MS,
  });
}

function rejectionOf(
  candidate: Candidate,
  healthOf: HealthLookup,
  query: RouteQuery,
): Pick<RejectedCandidate, 'reason' | 'retryAfterMs'> {
  if (exceedsCostMax(candidate, query)) return { reason: 'too_dear' };
  if (misfitOf(candidate, query) !== undefined) return { reason: 'unfit' };
  const health = healthOf(candidate);
  const reason = health.obstacle?.kind ?? 'gone';
  const retryAfterMs = cooldownOf(health);
  return retryAfterMs === undefined ? { reason } : { reason, retryAfterMs };
}

/** A candidate, and why it cannot serve the request now: undefined if it can. */
export interface JudgedCandidate {
  readonly candidate: Candidate;
  readonly whyNot: string | undefined;
  /** It is asked for all turns of this conversation, as far as nothing comes between. */
  readonly sticky: boolean;
}

/**
 * Every candidate that the name stands for: first those that can serve the request, as
 * `chooseRoute` orders them, then the others. Refuses names as it does.
 */
export function judgeRoute(
  table: RouteTable,
  healthOf: HealthLookup,
  query: RouteQuery,
): readonly JudgedCandidate[] {
  const set = findChannelSet(table, query);
  requireAllowedModel(set, query);
  const sticky = isSticky(set, query);
  const whyNot = new Map<Candidate, string | undefined>();
  for (const candidate of selectCandidates(set, query)) {
    whyNot.set(candidate, whyNotOf(candidate, healthOf, query));
  }
  const rankThose = (rejected: boolean) =>
    rank(
      set,
      healthOf,
      query,
      (each) => whyNot.has(each) && (whyNot.get(each) !== undefined) === rejected,
      Infinity,
    );
  return [...rankThose(false), ...rankThose(true)].map((candidate) => ({
    candidate,
    whyNot: whyNot.get(candidate),
    sticky,
  }));
}

function whyNotOf(
  candidate: Candidate,
  healthOf: HealthLookup,
  query: RouteQuery,
): string | undefined {
  const misfit = misfitOf(candidate, query);
  if (misfit !== undefined) return misfit;
  const { obstacle } = healthOf(candidate);
  return obstacle === undefined ? undefined : obstacleSentence(obstacle);
}

/** The part of the request that the candidate can never serve, as a sentence without full stop. */
function misfitOf(candidate: Candidate, query: RouteQuery): string | undefined {
  const { model } = candidate;
  if (model.kind !== query.kind) return 'the model is of another kind';
  if (!isInPlan(model.name, query)) return "the account's plan does not include the model";
  if (!isAllowed(model.name, query)) return 'the key may not use the model';
  if (!coversTokens(model, query)) {
    return `max_tokens is above the model's ${model.completionTokensMax}`;
  }
  if (!hasContext(model, query)) {
    return `the prompt is longer than the model's context of ${model.contextTokensMax} tokens`;
  }
  const [undeclared] = undeclaredCapabilities(candidate, query);
  if (undeclared !== undefined) return `the channel's capabilities do not name ${undeclared}`;
  const inexpressible = query.inexpressible(candidate.channel.type);
  if (inexpressible !== undefined) return `the channel does not support ${inexpressible}`;
  if (!exceedsCostMax(candidate, query)) return undefined;
  return `the answer would cost more than ${COST_MAX_HEADER} allows`;
}

/** What the request is expected to cost there, for explaining. */
export function costEstimateOf(candidate: Candidate, query: RouteQuery): Nano {
  return priceOf(candidatePricesOf(candidate, query.discount), {
    prompt: query.promptUsual,
    completion: wantedTokensOf(candidate.model, query) * query.choices,
    cached: 0,
  });
}

/** The channels that the name's group stands for; a group that may not be used does not exist. */
function findChannelSet(table: RouteTable, query: RouteQuery): ChannelSet {
  const { group, routing } = query.name;
  if (routing !== undefined && query.kind === 'embedding') throw unnamed();
  const set = channelSetOf(table, query);
  if (set === undefined && group !== undefined) throw unknownModel();
  if (routing === undefined) requireModel(table, set ?? EMPTY_SET, query);
  return (routing === undefined ? set : set?.routed) ?? EMPTY_SET;
}

const EMPTY_SET = new ChannelSet([]);

function channelSetOf(table: RouteTable, query: RouteQuery): ChannelSet | undefined {
  const { group } = query.name;
  if (group === undefined) return table.channelSets.get(setKeyOfGroup(DEFAULT_GROUP));
  if (group === OWN_GROUP) return table.channelSets.get(setKeyOfOwner(query.accountId));
  if (!query.operator && !mayName(group, query)) return undefined;
  return table.channelSets.get(setKeyOfGroup(group));
}

// A key's own list only narrows: whoever makes keys must not reach more by naming it there.
function mayName(group: string, { grantedGroups, keyGroups }: RouteQuery): boolean {
  const granted = group === DEFAULT_GROUP || grantedGroups.includes(group);
  return granted && (keyGroups.length === 0 || keyGroups.includes(group));
}

function selectCandidates(set: ChannelSet, query: RouteQuery): readonly Candidate[] {
  const { name, routing } = query.name;
  if (routing !== undefined) {
    return set.candidates.filter(
      ({ model }) => model.kind === query.kind && isAllowed(model.name, query),
    );
  }
  const channels = set.models.get(name)?.equalChannels.channels ?? [];
  return channels.flatMap(({ candidates }) => candidates);
}

/** Refuses from the models alone what no channel of them could serve. */
function requireFittingModel(set: ChannelSet, query: RouteQuery): void {
  const models = modelsOf(set, query);
  if (models.some((model) => isServable(model, query)) || models.length === 0) return;
  requireAllowedModel(set, query);
  const allowed = models.filter((model) => isAllowed(model.name, query));
  const fitting = allowed.filter((model) => coversTokens(model, query));
  throw fitting.length === 0 ? tokensAboveCap(allowed) : promptTooLong(fitting);
}

/** A routing name stands for models of which the key may use none. */
function requireAllowedModel(set: ChannelSet, query: RouteQuery): void {
  const models = modelsOf(set, query);
  const names = models.map(({ name }) => name);
  if (names.length === 0 || names.some((name) => isAllowed(name, query))) return;
  throw notAllowed({ isInPlan: names.some((name) => isInPlan(name, query)) });
}

function modelsOf(set: ChannelSet, query: RouteQuery): readonly RouteModel[] {
  if (query.name.routing !== undefined) return set.catalogueOf(query.kind);
  const named = set.models.get(query.name.name);
  return named === undefined ? [] : [named.model];
}

function isServable(model: RouteModel, query: RouteQuery): boolean {
  return isAllowed(model.name, query) && coversTokens(model, query) && hasContext(model, query);
}

function requireModel(table: RouteTable, set: ChannelSet, query: RouteQuery): void {
  const { name } = query.name;
  const model = table.models.get(name);
  if (model === undefined) {
    const stem = findVersionStem(name, (known) => table.models.has(known));
    if (stem === undefined) throw unknownModel(nearestModel(set, query));
    throw new AppError('VALIDATION_ERROR', {
      publicMessage: `Model names carry no date or version suffix. Use "${stem}".`,
      param: 'model',
    });
  }
  if (!isAllowed(name, query)) throw notAllowed({ isInPlan: isInPlan(name, query) });
  if (model.kind !== query.kind) throw ofAnotherKind(model.kind);
}

/** Of the models that the client could use, so that no other name is told. */
function nearestModel(set: ChannelSet, query: RouteQuery): string | undefined {
  const names = [...set.models.keys()].filter((name) => isAllowed(name, query));
  return nearestName(query.name.name, names);
}

/** The account has the model, whichever of its keys may use it. */
function isInPlan(model: string, query: RouteQuery): boolean {
  return allows(query.accountModels, model, query);
}

/** Both the account and its key have to allow the model. */
function isAllowed(model: string, query: RouteQuery): boolean {
  return allows(query.models, model, query) && isInPlan(model, query);
}

function allows(list: readonly string[], model: string, { name }: RouteQuery): boolean {
  if (list.length === 0 || list.includes(model)) return true;
  return name.routing !== undefined && list.includes(name.routing);
}

function coversTokens(model: RouteModel, query: RouteQuery): boolean {
  return query.maxTokens === undefined || query.maxTokens <= model.completionTokensMax;
}

function hasContext(model: RouteModel, query: RouteQuery): boolean {
  return model.contextTokensMax === 0 || !query.promptExceeds(model.contextTokensMax);
}

function exceedsCostMax(candidate: Candidate, { costMax, leastCostMax }: RouteQuery): boolean {
  return costMax !== undefined && leastCostMax(candidate) > costMax;
}

function isCapable(candidate: Candidate, query: RouteQuery): boolean {
  if (undeclaredCapabilities(candidate, query).length > 0) return false;
  return query.inexpressible(candidate.channel.type) === undefined;
}

function undeclaredCapabilities({ channel }: Candidate, query: RouteQuery): readonly string[] {
  return query.capabilities.filter((needed) => !channel.capabilities.includes(needed));
}

/** What of the request keeps the channel from it that comes nearest to serving it. */
function unsupportedBy(candidates: readonly Candidate[], query: RouteQuery): Unsupported {
  const undeclared = candidates.map((each) => undeclaredCapabilities(each, query));
  const least = undeclared.reduce((a, b) => (b.length < a.length ? b : a));
  const [capability] = least;
  if (capability === undefined) {
    const declaring = candidates[undeclared.indexOf(least)];
    const member =
      declaring === undefined ? undefined : query.inexpressible(declaring.channel.type);
    return { capability: undefined, param: member ?? 'model' };
  }
  // The place is that of the first capability: of another one it would name the wrong part.
  const isKnown = capability === query.capabilities[0] && query.capabilityParam !== '';
  return { capability, param: isKnown ? query.capabilityParam : 'model' };
}
