import type { Denial } from './sustained-denials';

/** A status with which requests of an account are refused for a while. */
export type RefusalStatus = 402 | 403 | 429;

/** The time in which an account's requests are refused with one status, from the first on. */
export interface RefusalSpell {
  readonly accountId: string;
  readonly status: RefusalStatus;
  /** Of the first refusal, such as `balance` or `key_rpm`. */
  readonly reason: string;
  /** When the window of the first refusal began. */
  readonly beganAtMs: number;
  /** When the window of the newest one ended. */
  readonly lastAtMs: number;
  /** When it is over, unless something is refused until then. */
  readonly overAtMs: number;
  /** The ids under which its begin and its end are told, however often that is tried. */
  readonly beganEventId: string;
  readonly endedEventId: string;
  /** Every endpoint has the event of its begin. */
  readonly told: boolean;
  /** It is over, and the event of its end may not have reached every endpoint yet. */
  readonly ending: boolean;
}

const QUIET_MS = 60_000;
const QUIET_WINDOWS = 6;

/** A spell is over a minute after its last refusal, or six windows where gateways count for longer. */
export function timesOf(
  denials: readonly Denial[],
): Pick<RefusalSpell, 'beganAtMs' | 'lastAtMs' | 'overAtMs'> {
  const lastAtMs = Math.max(...denials.map(({ atMs, windowMs }) => atMs + windowMs));
  const quietMs = Math.max(QUIET_MS, ...denials.map(({ windowMs }) => QUIET_WINDOWS * windowMs));
  const beganAtMs = Math.min(...denials.map(({ atMs }) => atMs));
  return { beganAtMs, lastAtMs, overAtMs: lastAtMs + quietMs };
}

export function statusOf(reason: string): RefusalStatus {
  if (reason === 'balance' || reason === 'budget') return 402;
  return reason === 'forbidden' ? 403 : 429;
}
