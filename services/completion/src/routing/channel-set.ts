import { hashText, type ModelKind } from '@tollgate/core';
import { type Candidate, isOwnChannel, type RouteChannel, type RouteModel } from './candidate';

/** Candidates of one channel, in the operator's order. */
export interface ChannelCandidates {
  readonly channel: RouteChannel;
  readonly candidates: readonly Candidate[];
  /** 32 bits of the channel's id; mixed with the tie-breaker they order equals by chance. */
  readonly hash: number;
}

/** A channel's candidates, with its hash. */
export function candidatesOfChannel(
  channel: RouteChannel,
  candidates: readonly Candidate[],
): ChannelCandidates {
  return { channel, candidates, hash: hashText(channel.id) };
}

/** Channels that the name which was asked for ranks alike; priority and weight decide among them. */
export class EqualChannels {
  readonly channels: readonly ChannelCandidates[];
  #tiers: readonly (readonly ChannelCandidates[])[] | undefined;

  constructor(channels: readonly ChannelCandidates[]) {
    this.channels = channels;
  }

  /** The channels of each priority, the lowest number first. */
  get tiers(): readonly (readonly ChannelCandidates[])[] {
    this.#tiers ??= [...Map.groupBy(this.channels, ({ channel }) => channel.priority)]
      .sort(([a], [b]) => a - b)
      .map(([, tier]) => tier);
    return this.#tiers;
  }
}

/** A model of a set of channels, with those that serve it. */
export interface OfferedModel {
  readonly model: RouteModel;
  readonly equalChannels: EqualChannels;
}

/** Models that cost the same whatever is asked of them. */
export interface PriceClass {
  /** Nano-units for a million tokens, as numbers: for comparing, never for charging. */
  readonly promptPrice: number;
  readonly completionPrice: number;
  readonly completionTokensMax: number;
  readonly models: readonly OfferedModel[];
  readonly equalChannels: EqualChannels;
}

/**
 * The channels of one kind of request: the default group, a named one, or an account's own.
 * Made with the table and indexed when the first request asks.
 */
export class ChannelSet {
  readonly all: EqualChannels;
  #models: ReadonlyMap<string, OfferedModel> | undefined;
  #catalogue: ReadonlyMap<ModelKind, readonly RouteModel[]> | undefined;
  #candidates: readonly Candidate[] | undefined;
  #cachesPrompts: boolean | undefined;
  #priceClasses: readonly PriceClass[] | undefined;
  #routed: ChannelSet | undefined;
  readonly #merged = new Map<string, EqualChannels>();

  constructor(channels: readonly ChannelCandidates[]) {
    this.all = new EqualChannels(channels);
  }

  get models(): ReadonlyMap<string, OfferedModel> {
    this.#models ??= indexModels(this.all);
    return this.#models;
  }

  /** Every model of the kind that a channel offers. */
  catalogueOf(kind: ModelKind): readonly RouteModel[] {
    this.#catalogue ??= Map.groupBy(
      [...this.models.values()].map(({ model }) => model),
      (model) => model.kind,
    );
    return this.#catalogue.get(kind) ?? [];
  }

  /** Some model of it costs less where its vendor has the prompt in a cache. */
  get cachesPrompts(): boolean {
    this.#cachesPrompts ??= [...this.models.values()].some(({ model }) => cachesPrompts(model));
    return this.#cachesPrompts;
  }

  /** Every candidate, in the order of the table. */
  get candidates(): readonly Candidate[] {
    this.#candidates ??= this.all.channels.flatMap(({ candidates }) => candidates);
    return this.#candidates;
  }

  /**
   * What the routing names choose from: without models whose price nobody set, as far as others of
   * their kind have one. An account's own channels cost nothing and have all of theirs.
   */
  get routed(): ChannelSet {
    this.#routed ??= withoutUnpriced(this);
    return this.#routed;
  }

  get priceClasses(): readonly PriceClass[] {
    this.#priceClasses ??= groupByPrice(this);
    return this.#priceClasses;
  }

  /**
   * The candidates of several models as equals: of each channel in the operator's order. The same
   * models are asked for again and again, so they are kept; their key is made of their names.
   */
  merge(models: readonly OfferedModel[]): EqualChannels {
    const [only] = models;
    if (only !== undefined && models.length === 1) return only.equalChannels;
    if (models.length === this.models.size) return this.all;
    const key = models.map(({ model }) => model.name).join('\n');
    const known = this.#merged.get(key);
    if (known !== undefined) return known;
    const candidates = models.flatMap(({ equalChannels }) =>
      equalChannels.channels.flatMap((each) => each.candidates),
    );
    const made = groupByChannel(candidates.sort((a, b) => a.position - b.position));
    if (this.#merged.size >= MERGED_MAX) this.#merged.clear();
    this.#merged.set(key, made);
    return made;
  }
}

/** Sets of models that cost the same for some request. */
const MERGED_MAX = 100;

/** By the catalogue: what is read from a cache has a lower price. */
export function cachesPrompts({ prices }: RouteModel): boolean {
  return prices.cachedPrompt < prices.prompt;
}

function indexModels({ channels }: EqualChannels): ReadonlyMap<string, OfferedModel> {
  const apart = channels.flatMap(({ candidates, ...channel }) =>
    candidates.map((candidate) => ({
      model: candidate.model,
      own: { ...channel, candidates: [candidate] },
    })),
  );
  return new Map(
    Array.from(
      Map.groupBy(apart, ({ model }) => model),
      ([model, serving]) => [
        model.name,
        { model, equalChannels: new EqualChannels(serving.map(({ own }) => own)) },
      ],
    ),
  );
}

function withoutUnpriced(set: ChannelSet): ChannelSet {
  const isUnpriced = (candidate: Candidate) =>
    candidate.model.unpriced === true && !isOwnChannel(candidate);
  const priced = new Set(
    set.candidates.filter((each) => !isUnpriced(each)).map(({ model }) => model.kind),
  );
  const isLeftOut = (each: Candidate) => isUnpriced(each) && priced.has(each.model.kind);
  if (!set.candidates.some(isLeftOut)) return set;
  return new ChannelSet(
    set.all.channels.map(({ channel, candidates }) =>
      candidatesOfChannel(
        channel,
        candidates.filter((each) => !isLeftOut(each)),
      ),
    ),
  );
}

function groupByPrice(set: ChannelSet): readonly PriceClass[] {
  const byPrice = Map.groupBy(set.models.values(), ({ model }) => {
    const { completionTokensMax, prices } = model;
    return `${prices.prompt} ${prices.completion} ${completionTokensMax}`;
  });
  return [...byPrice.values()].map((models) => {
    const model = models[0]?.model;
    return {
      promptPrice: Number(model?.prices.prompt),
      completionPrice: Number(model?.prices.completion),
      completionTokensMax: model?.completionTokensMax ?? 0,
      models,
      equalChannels: set.merge(models),
    };
  });
}

/** Groups candidates by channel; each channel's stay in the order that they come in. */
export function groupByChannel(candidates: Iterable<Candidate>): EqualChannels {
  const byChannel = Map.groupBy(candidates, ({ channel }) => channel);
  return new EqualChannels(
    [...byChannel].map(([channel, own]) => candidatesOfChannel(channel, own)),
  );
}
