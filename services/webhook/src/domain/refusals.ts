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
  /** The ids under which its begin and its end are told, however often that is tried. */
  readonly beganEventId: string;
  readonly endedEventId: string;
  /** Every endpoint has the event of its begin. */
  readonly told: boolean;
  /** It is over, and the event of its end may not have reached every endpoint yet. */
  readonly ending: boolean;
}

/** Nothing was refused for so long: the spell is over. Six windows of a gateway. */
export const REFUSAL_QUIET_MS = 60_000;
export const REFUSAL_WINDOW_MS = 10_000;

export function statusOf(reason: string): RefusalStatus {
  if (reason === 'balance' || reason === 'budget') return 402;
  return reason === 'forbidden' ? 403 : 429;
}
