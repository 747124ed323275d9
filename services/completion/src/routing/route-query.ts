import {
  type ChannelType,
  isRoutingName,
  type ModelKind,
  type Nano,
  type RoutingName,
  splitModelName,
  withoutVersionSuffix,
} from '@tollgate/core';
import type { Candidate } from './candidate';

/** The needs of a request that its route must meet. */
export interface RouteQuery {
  readonly accountId: string;
  readonly operator: boolean;
  readonly name: ModelName;
  /** Models of another kind are no candidates. */
  readonly kind: ModelKind;
  /** Models that the key may use; empty means every one. */
  readonly models: readonly string[];
  /** Models that its account may use; empty means every one. */
  readonly accountModels: readonly string[];
  /** Of the account, taken off the unit prices: hundredths of a percent. */
  readonly discount: number;
  /** Groups that the key is narrowed to; empty means all that its account was granted. */
  readonly keyGroups: readonly string[];
  /** Groups of the operator's channels that the account was granted, besides the default one. */
  readonly grantedGroups: readonly string[];
  readonly capabilities: readonly string[];
  /** The member of the request that needs them. */
  readonly capabilityParam: string;
  /** The member of this request that a channel of `type` cannot express; undefined without one. */
  readonly inexpressible: (type: ChannelType) => string | undefined;
  readonly maxTokens: number | undefined;
  /** What candidates are compared by: as many tokens as usual prompts of that length have. */
  readonly promptUsual: number;
  /** What is reserved for: more tokens than usual text of that length has. */
  readonly promptToReserve: number;
  /** No tokenizer counts more for its texts. */
  readonly promptTokensMax: number;
  /** No vendor counts more for its images and files. */
  readonly mediaTokensMax: number;
  /** Whether the prompt certainly has more tokens than this. */
  readonly promptExceeds: (tokens: number) => boolean;
  /** Answers that are asked for at once. */
  readonly choices: number;
  /** The most that the client lets the request cost. */
  readonly costMax: Nano | undefined;
  /** The smallest `costMax` with which the candidate could answer. */
  readonly leastCostMax: (candidate: Candidate) => Nano;
  /** 32 bits that decide among equals: a hash of the request, or random. */
  readonly tieBreaker: number;
  /**
   * 32 bits that all turns of a conversation have in common; undefined for a prompt that is too
   * short for a vendor's cache. Reckoned when it is asked for.
   */
  readonly conversationHash: (() => number) | undefined;
  readonly monotonicNowMs: number;
}

/** A client's `model`: an optional group and either a routing or a concrete name. */
interface ModelName {
  /** The text before the first colon; undefined when there is none. */
  readonly group: string | undefined;
  readonly name: string;
  /** Undefined for a concrete name. */
  readonly routing: RoutingName | undefined;
}

export function parseModelName(text: string): ModelName {
  const { group, name } = splitModelName(text);
  return { group, name, routing: isRoutingName(name) ? name : undefined };
}

const SUFFIXES_MAX = 3;

/**
 * The known model that `name` is a dated or versioned form of, or undefined. Clients must name the
 * stem: the service always uses the latest version of it.
 */
export function findVersionStem(
  name: string,
  isKnown: (stem: string) => boolean,
): string | undefined {
  let stem = name;
  for (let round = 0; round < SUFFIXES_MAX; round += 1) {
    const shorter = withoutVersionSuffix(stem);
    if (shorter === stem || shorter === '') return undefined;
    if (isKnown(shorter)) return shorter;
    stem = shorter;
  }
  return undefined;
}
