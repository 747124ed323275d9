import type {
  AccountId,
  BreakerState,
  CallFailureKind,
  ChannelId,
  ChannelStatus,
  ChannelTimeouts,
  ChannelType,
  HealthState,
} from '@tollgate/core';

/** The observed state of one model at one channel. */
export interface ModelHealth {
  readonly model: string;
  readonly state: HealthState;
  readonly breaker: BreakerState;
  readonly successRate: number | null;
  /** Until when, by the wall clock, the vendor asked to be left alone; the name is the released one. */
  readonly cooldownUntilMs: number | null;
}

/** The state of a channel that traffic and checks showed. */
export interface ChannelHealth {
  readonly state: HealthState;
  /** When a check or a report of traffic last showed something; the name is the released one. */
  readonly checkedAtMs: number | null;
  readonly latencyMs: number | null;
  readonly firstTokenMs: number | null;
  /** 0 to 1, a moving average over reports of calls; null without traffic. */
  readonly successRate: number | null;
  /** The best of its models': open when none of them can be called. */
  readonly breaker: BreakerState;
  /** Those that were called. */
  readonly models: readonly ModelHealth[];
  /** What the last failed check or call met; null once others succeed and the channel is healthy. */
  readonly lastError: string | null;
  /** How that one ended, and when it was heard of; null as `lastError`. */
  readonly lastErrorKind: CallFailureKind | null;
  readonly lastErrorAtMs: number | null;
  /** When a request last found as many in flight as the channel may answer. */
  readonly noRoomAtMs: number | null;
  /** When a check enabled the channel again: what calls met before that counts no more. */
  readonly recoveredAtMs: number | null;
}

/** A model that the channel serves: our name and the vendor's. */
export interface ChannelModel {
  readonly name: string;
  readonly upstreamName: string;
}

/** The refusal for which a channel was disabled automatically. */
export interface AutoDisabled {
  readonly atMs: number;
  readonly reason: string;
}

/** A way to a vendor. The credential is sealed; only the table for completion has it in clear. */
export interface Channel {
  readonly id: ChannelId;
  readonly name: string;
  readonly type: ChannelType;
  readonly baseUrl: string;
  readonly sealedCredential: string;
  readonly credentialPreview: string;
  readonly models: readonly ChannelModel[];
  readonly groups: readonly string[];
  /** null for a channel that every account may use. */
  readonly ownerAccountId: AccountId | null;
  readonly priority: number;
  readonly weight: number;
  readonly status: ChannelStatus;
  /** When and why; null unless it is `auto_disabled`. */
  readonly autoDisabled: AutoDisabled | null;
  readonly autoDisable: boolean;
  /** 0 is unlimited. */
  readonly maxConcurrency: number;
  readonly timeouts: ChannelTimeouts;
  readonly capabilities: readonly string[];
  readonly health: ChannelHealth;
  /** Made at the first start for the simulator: its address follows the simulator's. */
  readonly followsSimulator: boolean;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
}

/** A channel as answers show it and may keep it. */
export type ChannelView = Omit<Channel, 'sealedCredential'>;

export function channelViewOf(channel: Channel): ChannelView {
  const { sealedCredential: _, ...view } = channel;
  return view;
}

/**
 * The `updatedAtMs` of a change at this time. It is always later than that of the change before, also
 * by a clock that is behind: a write is guarded by it.
 */
export function nextUpdateAtMs({ updatedAtMs }: Channel, atMs: number): number {
  return Math.max(atMs, updatedAtMs + 1);
}

export const UNKNOWN_HEALTH: ChannelHealth = {
  state: 'unknown',
  checkedAtMs: null,
  latencyMs: null,
  firstTokenMs: null,
  successRate: null,
  breaker: 'closed',
  models: [],
  lastError: null,
  lastErrorKind: null,
  lastErrorAtMs: null,
  noRoomAtMs: null,
  recoveredAtMs: null,
};

export const DEFAULT_TIMEOUTS: ChannelTimeouts = {
  connectMs: 0,
  headMs: 0,
  wholeHeadMs: 0,
  firstTokenMs: 0,
  idleMs: 0,
  totalMs: 0,
};

const PREVIEW_LENGTH = 4;
const PREVIEW_MIN_LENGTH = 12;

/** The last characters of a credential that is long enough to keep its secret, otherwise none. */
export function previewCredential(credential: string): string {
  if (credential === '') return '';
  if (credential.length < PREVIEW_MIN_LENGTH) return '…';
  return `…${credential.slice(-PREVIEW_LENGTH)}`;
}
