import type { Channel, ChannelHealth } from './channel';
import type { Model } from './model';

/** An event to publish once the write that carries it is durable. */
export interface OutgoingFact {
  readonly type: 'channel.disabled' | 'channel.recovered';
  readonly reason: string;
}

/** What an idempotent creation is remembered by. */
export interface Idempotency {
  readonly key: string;
  readonly bodyDigest: string;
}

/** A stored channel found by the key of its creation. */
export interface CreatedBefore {
  readonly channel: Channel;
  readonly bodyDigest: string;
  readonly createdAtMs: number;
}

/** Where channels are kept. */
export interface ChannelStore {
  insert(channel: Channel, idempotency: Idempotency | undefined): Promise<void>;
  findCreatedBy(idempotencyKey: string): Promise<CreatedBefore | undefined>;
  get(id: string): Promise<Channel | undefined>;
  /** By id, ascending, after the cursor. */
  list(limit: number, afterId: string | undefined): Promise<readonly Channel[]>;
  listAll(): Promise<readonly Channel[]>;
  count(): Promise<number>;
  /** False when the channel is gone or has changed since `expectedUpdatedAtMs`. */
  replace(channel: Channel, expectedUpdatedAtMs: number, fact?: OutgoingFact): Promise<boolean>;
  setHealth(id: string, health: ChannelHealth): Promise<void>;
  /** False when there was none. */
  delete(id: string): Promise<boolean>;
  /** True when some channel serves the model. */
  serves(model: string): Promise<boolean>;
}

/** Where the catalogue is kept. */
export interface ModelStore {
  get(name: string): Promise<Model | undefined>;
  listAll(): Promise<readonly Model[]>;
  count(): Promise<number>;
  /** False when the name is taken. */
  insert(model: Model): Promise<boolean>;
  /** False when the model is gone or got another price meanwhile. */
  replace(model: Model, expectedPriceVersion: number): Promise<boolean>;
  delete(name: string): Promise<boolean>;
}

/** Tells every replica that the table changed. */
export interface RouteChanges {
  announce(change: string): Promise<void>;
}

/** What one call to a vendor showed. */
export interface ProbeResult {
  readonly healthy: boolean;
  readonly latencyMs: number | null;
  readonly httpStatus: number | null;
  /** One of our own sentences; empty when healthy. */
  readonly error: string;
}

/** Calls vendors outside any user's request. */
export interface VendorProbe {
  /** One token, charged to nobody. */
  check(channel: Channel, credential: string, upstreamModel: string): Promise<ProbeResult>;
  /** The vendor's own model names; empty when it cannot be asked. */
  listModels(baseUrl: string, credential: string): Promise<readonly string[]>;
  /** Throws VALIDATION_ERROR when the address may not be called. */
  checkAddress(url: string): Promise<void>;
}
