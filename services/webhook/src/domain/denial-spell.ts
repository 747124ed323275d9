import type { DenialCount, DeniedStatus } from './denial';

/** The time in which an account's requests are denied with one status, from the first on. */
export interface DenialSpell {
  readonly accountId: string;
  readonly status: DeniedStatus;
  /** Of the first denial, such as `balance` or `key_rpm`. */
  readonly reason: string;
  /** When the window of the first denial began. */
  readonly beganAtMs: number;
  /** When the window of the newest one ended. */
  readonly lastAtMs: number;
  /** When it is over, unless something is denied until then. */
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

/** A spell is over a minute after its last denial, or six windows where gateways count for longer. */
export function spellTimesOf(
  denials: readonly DenialCount[],
): Pick<DenialSpell, 'beganAtMs' | 'lastAtMs' | 'overAtMs'> {
  const lastAtMs = Math.max(...denials.map(({ atMs, windowMs }) => atMs + windowMs));
  const quietMs = Math.max(QUIET_MS, ...denials.map(({ windowMs }) => QUIET_WINDOWS * windowMs));
  const beganAtMs = Math.min(...denials.map(({ atMs }) => atMs));
  return { beganAtMs, lastAtMs, overAtMs: lastAtMs + quietMs };
}
