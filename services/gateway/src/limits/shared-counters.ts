import type { LimitKind, RequestLimits } from './limiter';

/** A gateway's report and question about one subject. */
export interface ShareRequest {
  readonly id: string;
  readonly limits: RequestLimits;
  /** Requests that were not told yet, by second of the counters' time. */
  readonly used: readonly (readonly [second: number, count: number])[];
  /** The UTC day that `dayChange` belongs to, counted from the epoch. */
  readonly day: number;
  /** Requests of the day, less those that turned out not to count. */
  readonly dayChange: number;
  /** All admissions that the gateway has and has not used. */
  readonly admissions: number;
  /** Requests that wait for more of them. */
  readonly admissionsNeeded: number;
  /** Admissions that would be useful beyond that, if there is plenty. */
  readonly admissionsSpare: number;
  /** All places that the gateway has. */
  readonly places: number;
  /** The places among them that no request uses. */
  readonly placesIdle: number;
  readonly placesNeeded: number;
}

/** The counters' answer about one subject. */
export interface ShareGrant {
  /** New admissions, for those that wait first of all. */
  readonly admissions: number;
  /** How many unused ones the gateway may have now. */
  readonly admissionsKeep: number;
  /** Set when not all that wait got one: why, and for how long. */
  readonly refused: LimitKind | undefined;
  readonly waitMs: number;
  readonly places: number;
  readonly placesKeep: number;
  /** Requests of all gateways in the last sixty seconds. */
  readonly minuteCount: number;
  /** Until the oldest of them leaves the window; 0 when there is none. */
  readonly minuteResetMs: number;
  readonly dayCount: number;
}

/** How the counters see the gateways. */
export interface CounterView {
  /** Time of the counters, milliseconds since the epoch. */
  readonly counterMs: number;
  /** Gateways that are alive, this one included. */
  readonly gateways: number;
  /** False when the counters had not heard of this gateway, or have forgotten it. */
  readonly known: boolean;
}

/** One answer about several subjects, in the order in which they were asked. */
export interface ShareAnswer extends CounterView {
  readonly grants: readonly ShareGrant[];
}

/**
 * The counters that all gateways share, of the accounts of one partition; everything rejects while
 * the server that has them is away.
 */
export interface SharedCounters {
  share(requests: readonly ShareRequest[]): Promise<ShareAnswer>;
  heartbeat(): Promise<CounterView>;
  /** Gives up everything that this gateway holds. */
  leave(): Promise<void>;
  onReady(listener: () => void): void;
  /** The connection ends when all partitions on it are closed. */
  close(): void;
}
