import {
  CAPABILITIES_MAX,
  CAPABILITY,
  cacheWritePriceOf,
  invalid,
  isRoutingName,
  MODEL_BOUNDS,
  type ModelKind,
  minNano,
  type UnitPrices,
  versionSuffixOf,
} from '@tollgate/core';

/** Where a price comes from that no operator set: the vendor's list, or the default of a start. */
export type PriceSource = 'list' | 'default';

export interface PriceSettings extends UnitPrices {
  /** Absent when an operator set it. */
  readonly source?: PriceSource;
}

/** Prices that hold from a time on; a change never edits the amounts of a version, it adds one. */
export interface PriceVersion extends PriceSettings {
  readonly version: number;
  readonly effectiveAtMs: number;
}

/** A catalogue entry. */
export interface Model {
  readonly name: string;
  readonly kind: ModelKind;
  readonly description: string;
  readonly contextLength: number;
  readonly maxCompletionTokens: number;
  readonly capabilities: readonly string[];
  readonly ownedBy: string;
  readonly createdAtMs: number;
  /** Oldest first, at least one. */
  readonly prices: readonly PriceVersion[];
}

/** The settings of a model. */
export interface ModelSettings {
  readonly name: string;
  /** Of a new model chat when it is absent. It stays: what asks for the model relies on it. */
  readonly kind: ModelKind | undefined;
  readonly description: string;
  readonly contextLength: number;
  readonly maxCompletionTokens: number;
  readonly capabilities: readonly string[];
  readonly ownedBy: string;
  readonly prices: PriceSettings;
}

const OWNED_BY_LENGTH_MAX = 100;

/** True for a name that a client could send as a concrete model. */
export function isModelName(name: string): boolean {
  const isFormed = name.length <= MODEL_BOUNDS.nameLengthMax && MODEL_BOUNDS.name.test(name);
  return isFormed && versionSuffixOf(name) === undefined && !isRoutingName(name);
}

/** Throws VALIDATION_ERROR with the first field at fault. */
export function checkModelSettings(settings: ModelSettings): void {
  if (!isModelName(settings.name)) {
    const suffix = versionSuffixOf(settings.name);
    throw invalid(
      'name',
      suffix === undefined
        ? 'name must be lower-case letters, digits, dots, dashes and underscores, and no routing name.'
        : `name must not end in ${suffix}, which is a date or version suffix: a name without it is ` +
            'of the latest version.',
    );
  }
  const { descriptionLengthMax } = MODEL_BOUNDS;
  if (settings.description.length > descriptionLengthMax) {
    throw invalid('description', `description has at most ${descriptionLengthMax} characters.`);
  }
  checkTokens('context_length', settings.contextLength);
  checkTokens('max_completion_tokens', settings.maxCompletionTokens);
  if (settings.maxCompletionTokens > settings.contextLength) {
    throw invalid('max_completion_tokens', 'max_completion_tokens is above context_length.');
  }
  if (settings.capabilities.length > CAPABILITIES_MAX) {
    throw invalid('capabilities', `At most ${CAPABILITIES_MAX} capabilities.`);
  }
  if (settings.capabilities.some((capability) => !CAPABILITY.test(capability))) {
    throw invalid('capabilities', 'capabilities are lower-case words such as tools.');
  }
  if (settings.ownedBy.length > OWNED_BY_LENGTH_MAX) {
    throw invalid('owned_by', `owned_by has at most ${OWNED_BY_LENGTH_MAX} characters.`);
  }
  const { prompt, completion, cachedPrompt } = settings.prices;
  const least = [completion, cachedPrompt, cacheWritePriceOf(settings.prices)];
  if (least.reduce(minNano, prompt) < 0n) {
    throw invalid('pricing', 'Prices are not negative.');
  }
  if (cachedPrompt > prompt) {
    throw invalid('pricing.cached_prompt', 'A cached prompt costs at most what a fresh one does.');
  }
}

function checkTokens(param: string, value: number): void {
  const { tokensMax } = MODEL_BOUNDS;
  if (Number.isInteger(value) && value >= 1 && value <= tokensMax) return;
  throw invalid(param, `${param} must be a whole number from 1 to ${tokensMax}.`);
}

/** The prices in force at the time; the first version holds for any earlier time too. */
export function pricesAt(model: Model, atMs: number): PriceVersion {
  const inForce = model.prices.findLast((price) => price.effectiveAtMs <= atMs);
  const price = inForce ?? model.prices[0];
  if (price === undefined) throw new Error(`model ${model.name} has no price`);
  return price;
}

/**
 * The versions after a change: the same price adds none, whoever says it now. It holds from now on
 * where its time lies ahead, which the clock of another replica said.
 */
export function withPrices(
  prices: readonly PriceVersion[],
  next: PriceSettings,
  atMs: number,
): readonly PriceVersion[] {
  const last = prices.at(-1);
  const same =
    last !== undefined &&
    last.prompt === next.prompt &&
    last.completion === next.completion &&
    last.cachedPrompt === next.cachedPrompt &&
    cacheWritePriceOf(last) === cacheWritePriceOf(next);
  const { prompt, completion, cachedPrompt, cacheWrite, source } = next;
  const said = source === undefined ? {} : { source };
  if (same) {
    const { source: before, ...amounts } = last;
    if (before === source && last.effectiveAtMs <= atMs) return prices;
    const effectiveAtMs = Math.min(last.effectiveAtMs, atMs);
    return [...prices.slice(0, -1), { ...amounts, ...said, effectiveAtMs }];
  }
  const unit = { prompt, completion, cachedPrompt, ...said };
  const all = cacheWrite === undefined ? unit : { ...unit, cacheWrite };
  const version = (last?.version ?? 0) + 1;
  return [...prices, { ...all, version, effectiveAtMs: atMs }];
}
