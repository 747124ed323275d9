import {
  type ChannelTimeouts,
  type ChannelType,
  discountedPrices,
  type ModelKind,
  type UnitPrices,
  ZERO_NANO,
} from '@tollgate/core';

/** A model of the catalogue with the price version that holds now. */
export interface RouteModel {
  readonly name: string;
  readonly kind: ModelKind;
  readonly completionTokensMax: number;
  /** Tokens that a prompt may have; 0 when the catalogue has no bound. */
  readonly contextTokensMax: number;
  /** The most that a vendor can count, which may be more: 0 when nobody knows it. */
  readonly vendorTokensMax: number;
  readonly prices: UnitPrices;
  readonly priceVersion: number;
  /** Of its prices, such as USD; absent while routing does not tell. */
  readonly currency?: string;
  /** Nobody set its price: it is asked by its own name alone while others have one. */
  readonly unpriced?: boolean;
  /** A channel of it was disabled automatically, and is probed. */
  readonly recovering?: boolean;
}

/** A model of a channel: our name and the vendor's. */
export interface ChannelModel {
  readonly name: string;
  readonly upstreamName: string;
  /** False when routing found it failing there. */
  readonly healthy: boolean;
}

/** A way to a vendor. */
export interface RouteChannel {
  readonly id: string;
  readonly name: string;
  readonly type: ChannelType;
  readonly baseUrl: string;
  /** In clear: never logged, never shown. */
  readonly credential: string;
  readonly models: readonly ChannelModel[];
  readonly groups: readonly string[];
  /** Null for a shared channel. */
  readonly ownerAccountId: string | null;
  /** Lower is preferred. */
  readonly priority: number;
  /** Share among channels of one priority. */
  readonly weight: number;
  /** Requests at once; 0 means as many as come. */
  readonly concurrencyMax: number;
  readonly timeouts: ChannelTimeouts;
  readonly capabilities: readonly string[];
  /** As routing heard it from the streams of all instances of completion. */
  readonly firstTokenMs: number | null;
}

/** A model at a channel that has it; whether it can serve a request is judged for each. */
export interface Candidate {
  readonly channel: RouteChannel;
  readonly model: RouteModel;
  readonly upstreamName: string;
  readonly healthy: boolean;
  /** Place of the model in the channel's list: the operator's order. */
  readonly position: number;
}

/** True for a channel of the account itself: its requests cost nothing. */
export function isOwnChannel({ channel }: Candidate): boolean {
  return channel.ownerAccountId !== null;
}

/** The price of the account's own channels: nothing. */
export const FREE_PRICES: UnitPrices = {
  prompt: ZERO_NANO,
  completion: ZERO_NANO,
  cachedPrompt: ZERO_NANO,
};

/** The price of the candidate's tokens with the account's discount: every amount is made from it. */
export function candidatePricesOf(candidate: Candidate, discount: number): UnitPrices {
  if (isOwnChannel(candidate)) return FREE_PRICES;
  return discountedPrices(candidate.model.prices, discount);
}
