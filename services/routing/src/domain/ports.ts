import type { ChannelType, IdPage, ModelKind } from '@tollgate/core';
import type { Channel, ChannelHealth } from './channel';
import type { Model } from './model';
import type { ModelLimits } from './published-models';

/** An event that is written with the change of a channel and published once that is durable. */
export interface ChannelEvent {
  readonly type: 'channel.disabled' | 'channel.recovered';
  readonly reason: string;
}

/** What else is written with the change of a channel. */
export interface AccompanyingWrites {
  readonly event?: ChannelEvent;
  readonly check?: RecordedCheck;
  /** Absent, what was observed meanwhile stays. */
  readonly health?: ChannelHealth;
}

/** Which channels are listed: all, shared ones, or owned ones that are `auto_disabled`. */
export type ChannelSelection = 'all' | 'shared' | 'owned-auto-disabled';

/** Where channels are kept. */
export interface ChannelStore {
  insert(channel: Channel): Promise<void>;
  find(id: string): Promise<Channel | undefined>;
  list(page: IdPage, selection?: ChannelSelection): Promise<readonly Channel[]>;
  listAll(): Promise<readonly Channel[]>;
  /** Health alone, by id: of these channels, or of all. */
  listHealth(ids: readonly string[] | 'all'): Promise<ReadonlyMap<string, ChannelHealth>>;
  count(): Promise<number>;
  /** False when the channel is gone or has changed since `expectedUpdatedAtMs`. */
  update(
    channel: Channel,
    expectedUpdatedAtMs: number,
    also?: AccompanyingWrites,
  ): Promise<boolean>;
  /** Without a check nothing is written when the channel has recovered since `health` was read. */
  writeHealth(id: string, health: ChannelHealth, check?: RecordedCheck): Promise<void>;
  /** The check, if it was the last one that was recorded of the channel. */
  findCheck(id: string, checkId: string): Promise<HealthCheck | undefined>;
  /** False when there was none. */
  remove(id: string): Promise<boolean>;
  /** Those that belong to the account alone. */
  listOwnedBy(accountId: string): Promise<readonly Channel[]>;
  /**
   * Removes the answers that are kept for an Idempotency-Key and tell of such channels. The
   * Idempotency-Key is refused until its day is over, so that nothing is done twice.
   */
  forgetAnswersAbout(accountId: string): Promise<void>;
  /** True when some channel serves the model. */
  serves(model: string): Promise<boolean>;
}

/** An event of a channel that waits to be published. */
export interface WaitingChannelEvent extends ChannelEvent {
  readonly id: string;
  readonly atMs: number;
  readonly channel: Channel;
}

/** A channel with its events that wait. */
export interface ChannelOutboxItem {
  /** The channel's. */
  readonly id: string;
  readonly channel: Channel;
  readonly events: readonly Omit<WaitingChannelEvent, 'channel'>[];
}

/** The events that wait in the documents of channels. */
export interface ChannelOutbox {
  /** By channel id, ascending, after the cursor. */
  listOutbox(page: IdPage): Promise<readonly ChannelOutboxItem[]>;
  removeFromOutbox(items: readonly ChannelOutboxItem[]): Promise<void>;
}

/** Publishes what happened to channels on the event bus. */
export interface ChannelEventPublisher {
  /**
   * Resolves once all were accepted; rejects with SERVICE_UNAVAILABLE to try later, and with
   * EventKeysRefused once all but those of some keys were.
   */
  publish(events: readonly WaitingChannelEvent[]): Promise<void>;
  /** The key that the events of a channel have. */
  keyOf(channel: Channel): string;
}

/** Where the catalogue is kept. */
export interface ModelStore {
  find(name: string): Promise<Model | undefined>;
  /** Without those that cannot be read. */
  listAll(): Promise<readonly Model[]>;
  /** Those of the names that are in the catalogue, whether the model can be read or not. */
  findNames(names: readonly string[]): Promise<readonly string[]>;
  count(): Promise<number>;
  /** False when the name is taken. */
  insert(model: Model, effectId?: string): Promise<boolean>;
  /** The model, if this effect of an Idempotency-Key made it. */
  findMadeBy(name: string, effectId: string): Promise<Model | undefined>;
  /** False when the model is gone or got another price meanwhile. */
  update(model: Model, expectedPriceVersion: number): Promise<boolean>;
  remove(name: string): Promise<boolean>;
}

/** The log by which every replica hears that the table changed. */
export interface RouteLog {
  /** What changed, each as `operations/route-log.ts` words it; together they are one revision. */
  append(...changes: readonly string[]): Promise<void>;
}

/** The outcome of one call to a vendor. */
export interface ProbeResult {
  readonly healthy: boolean;
  readonly latencyMs: number | null;
  readonly httpStatus: number | null;
  /** One of our own sentences; empty when healthy. */
  readonly error: string;
  /** Refused because the account of the credential has nothing left to spend there. */
  readonly isOutOfCredit?: true;
}

/** The result of a check of a channel. */
export interface HealthCheck extends ProbeResult {
  readonly channelId: string;
  readonly model: string;
  readonly checkedAtMs: number;
}

/** A check as its channel keeps it, together with the health that it showed. */
export interface RecordedCheck extends HealthCheck {
  readonly id: string;
}

/** A model that a vendor lists, by the vendor's own name, with the limits that the list tells. */
export interface ListedModel extends Partial<ModelLimits> {
  readonly name: string;
}

/** What a vendor says that it serves. */
export interface ModelListing {
  readonly models: readonly ListedModel[];
  /** Null when there was no answer. */
  readonly httpStatus: number | null;
  /** Why there is no list, one of our own sentences; empty when there is one. */
  readonly error: string;
}

/** Calls vendors outside any user's request. */
export interface VendorProbe {
  /**
   * A short answer, or one vector, charged to nobody; the model by the vendor's name. Rejects when the
   * signal aborts: that says nothing of the channel.
   */
  check(
    channel: Channel,
    credential: string,
    model: { readonly kind: ModelKind; readonly name: string },
    signal?: AbortSignal,
  ): Promise<ProbeResult>;
  /** Never throws: a vendor that cannot be asked is an empty listing that says why. */
  discoverModels(type: ChannelType, baseUrl: string, credential: string): Promise<ModelListing>;
  /** Throws VALIDATION_ERROR when the address may not be called. */
  checkAddress(url: string): Promise<void>;
}
