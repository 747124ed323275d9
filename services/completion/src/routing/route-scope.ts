import { hashText } from '@tollgate/core';
import type { Candidate, RouteChannel, RouteModel } from './candidate';

/** Candidates of one channel, in the operator's order. */
export interface ChannelCandidates {
  readonly channel: RouteChannel;
  readonly candidates: readonly Candidate[];
  /** 32 bits of the channel's id; mixed with the seed they order equals by chance. */
  readonly hash: number;
}

/** A channel's candidates, with its hash. */
export function candidatesOfChannel(
  channel: RouteChannel,
  candidates: readonly Candidate[],
): ChannelCandidates {
  return { channel, candidates, hash: hashText(channel.id) };
}

/** Channels among which a routing name sees no difference. */
export type Equals = readonly ChannelCandidates[];

/** A model of a scope with what a comparison by price needs. */
export interface ScopeModel {
  readonly model: RouteModel;
  /** Nano-units for a million tokens, as numbers: for comparing, never for charging. */
  readonly promptPrice: number;
  readonly completionPrice: number;
  readonly equals: Equals;
}

/**
 * The channels of one kind of request: the default group, a named one, or an account's own.
 * Made with the table and indexed when the first request asks.
 */
export class RouteScope {
  readonly all: Equals;
  #models: ReadonlyMap<string, ScopeModel> | undefined;
  #catalogue: readonly RouteModel[] | undefined;
  #candidates: readonly Candidate[] | undefined;
  #cachesPrompts: boolean | undefined;

  constructor(channels: Equals) {
    this.all = channels;
  }

  get models(): ReadonlyMap<string, ScopeModel> {
    this.#models ??= indexModels(this.all);
    return this.#models;
  }

  /** Every model that a channel offers. */
  get catalogue(): readonly RouteModel[] {
    this.#catalogue ??= [...this.models.values()].map(({ model }) => model);
    return this.#catalogue;
  }

  /** Some model of it costs less where its vendor has the prompt in a cache. */
  get cachesPrompts(): boolean {
    this.#cachesPrompts ??= this.catalogue.some(cachesPrompts);
    return this.#cachesPrompts;
  }

  /** Every candidate, in the order of the table. */
  get candidates(): readonly Candidate[] {
    this.#candidates ??= this.all.flatMap(({ candidates }) => candidates);
    return this.#candidates;
  }
}

/** By the catalogue: what is read from a cache has a lower price. */
export function cachesPrompts({ prices }: RouteModel): boolean {
  return prices.cachedPrompt < prices.prompt;
}

function indexModels(channels: Equals): ReadonlyMap<string, ScopeModel> {
  const byModel = new Map<RouteModel, ChannelCandidates[]>();
  for (const { candidates, ...channel } of channels) {
    for (const candidate of candidates) {
      const own = { ...channel, candidates: [candidate] };
      const equals = byModel.get(candidate.model);
      if (equals === undefined) byModel.set(candidate.model, [own]);
      else equals.push(own);
    }
  }
  return new Map(
    [...byModel].map(([model, equals]) => [
      model.name,
      {
        model,
        promptPrice: Number(model.prices.prompt),
        completionPrice: Number(model.prices.completion),
        equals,
      },
    ]),
  );
}

/** Groups candidates by channel; each channel's stay in the order that they come in. */
export function groupByChannel(candidates: Iterable<Candidate>): Equals {
  const byChannel = new Map<RouteChannel, Candidate[]>();
  for (const candidate of candidates) {
    const known = byChannel.get(candidate.channel);
    if (known === undefined) byChannel.set(candidate.channel, [candidate]);
    else known.push(candidate);
  }
  return [...byChannel].map(([channel, own]) => candidatesOfChannel(channel, own));
}
