import { formatAmount, type Logger, type Nano, nano, type UnitPrices } from '@tollgate/core';
import { isModelName, type Model, type PriceSettings } from '../domain/model';
import type { ListedModel } from '../domain/ports';
import {
  firstLimitsOf,
  knownLimitsOf,
  listPriceOf,
  type ModelLimits,
  modelPreferenceOf,
  vendorModelKindOf,
} from '../domain/published-models';

/** A model of a first channel: with what the catalogue and the channel say of it. */
export interface FirstModel extends ModelLimits {
  readonly name: string;
  readonly upstreamName: string;
  readonly description: string;
  readonly prices: PriceSettings;
}

/** A model that the environment names. */
export interface NamedModel {
  readonly name: string;
  readonly promptPrice: Nano;
  readonly completionPrice: Nano;
}

/** What a model costs whose vendor lists it and whose price nobody knows. */
export interface DefaultPrice {
  readonly promptPrice: Nano;
  readonly completionPrice: Nano;
  /** Vendors' lists have prices in one currency. */
  readonly currency: string;
}

const VENDOR_MODELS_MAX = 50;
/** The dates that vendors put behind the name of a family. */
const DATE = /-(?:\d{8}|\d{4}-\d{2}-\d{2})$/;
const SIMULATED = {
  description: 'Simulated answers for a first look and for tests.',
  contextLength: 128_000,
  maxCompletionTokens: 4096,
} as const;

/** Two sizes, so that a newcomer sees the routing names choose. Nano-units per 1M tokens. */
export const SIMULATED_MODELS: readonly FirstModel[] = [
  {
    ...SIMULATED,
    name: 'sim-small',
    upstreamName: 'sim-small',
    prices: unitPrices(nano(100_000_000n), nano(400_000_000n)),
  },
  {
    ...SIMULATED,
    name: 'sim-large',
    upstreamName: 'sim-large',
    prices: unitPrices(nano(2_500_000_000n), nano(10_000_000_000n)),
  },
];

/** The models that the environment names, at its prices. */
export function toNamedModels(named: readonly NamedModel[]): readonly FirstModel[] {
  return named.map(({ name, promptPrice, completionPrice }) => ({
    name,
    upstreamName: name,
    ...describeLimits(name, {}),
    prices: unitPrices(promptPrice, completionPrice),
  }));
}

/**
 * Those of a vendor's list that this service can ask, by names that the catalogue takes, the preferred
 * ones first. A model without a list price begins with the default, and the log says so.
 */
export function toListedModels(
  listed: readonly ListedModel[],
  fallback: DefaultPrice,
  logger: Logger,
): readonly FirstModel[] {
  const unknown: PriceSettings = {
    ...unitPrices(fallback.promptPrice, fallback.completionPrice),
    source: 'default',
  };
  const models = nameInCatalogue(listed.filter(({ name }) => vendorModelKindOf(name) !== 'other'))
    .sort((a, b) => modelPreferenceOf(a.name) - modelPreferenceOf(b.name))
    .slice(0, VENDOR_MODELS_MAX)
    .map(({ name, upstream }): FirstModel => {
      const prices = listPriceOf(name, fallback.currency) ?? unknown;
      return { name, upstreamName: upstream.name, ...describeLimits(name, upstream), prices };
    });
  warnOfUnpriced(models, fallback, logger);
  return models;
}

/** The catalogue's entry of a first channel's model. */
export function toFirstModel(first: FirstModel, type: string, atMs: number): Model {
  const { name, description, contextLength, maxCompletionTokens, prices } = first;
  return {
    name,
    kind: vendorModelKindOf(name) === 'embedding' ? 'embedding' : 'chat',
    description,
    contextLength,
    maxCompletionTokens,
    capabilities: [],
    ownedBy: type,
    createdAtMs: atMs,
    prices: [{ ...prices, version: 1, effectiveAtMs: atMs }],
  };
}

interface CatalogueName {
  readonly name: string;
  readonly upstream: ListedModel;
}

/** A vendor that lists dated names alone is asked for the newest by the name of the family. */
function nameInCatalogue(listed: readonly ListedModel[]): CatalogueName[] {
  const found = new Map<string, ListedModel>();
  for (const model of listed) {
    const name = isModelName(model.name) ? model.name : model.name.replace(DATE, '');
    if (!isModelName(name)) continue;
    // The one that bears the name itself stays; of dated ones the newest is taken.
    const taken = found.get(name)?.name;
    if (taken === name) continue;
    if (model.name === name || taken === undefined || model.name > taken) found.set(name, model);
  }
  return [...found].map(([name, upstream]) => ({ name, upstream }));
}

function describeLimits(name: string, told: Partial<ModelLimits>) {
  const isKnown = knownLimitsOf(name, told).contextLength !== undefined;
  const limits = firstLimitsOf(name, told);
  const most = limits.contextLength.toLocaleString('en-US');
  const description = isKnown
    ? ''
    : `Nobody told its limits: up to ${most} tokens of prompt and of answer are let through.`;
  return { ...limits, description };
}

function warnOfUnpriced(
  models: readonly FirstModel[],
  { promptPrice, completionPrice, currency }: DefaultPrice,
  logger: Logger,
): void {
  const unpriced = models.filter(({ prices }) => prices.source === 'default');
  if (unpriced.length === 0) return;
  logger.warn(
    { models: unpriced.map(({ name }) => name) },
    `${unpriced.length} of the vendor's models have no known price and got the default of ` +
      `${formatAmount(promptPrice)} and ${formatAmount(completionPrice)} ${currency} for 1M ` +
      'tokens: set their prices before you sell them (console, Models & prices; ' +
      'PATCH /v1/admin/models/{id}); until then the routing names leave them out',
  );
}

function unitPrices(prompt: Nano, completion: Nano): UnitPrices {
  return { prompt, completion, cachedPrompt: prompt };
}
