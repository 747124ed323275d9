/** Denials for one reason that one gateway counted within one of its windows. */
export interface DenialCount {
  /** The event's id: the same however often it is delivered. */
  readonly id: string;
  readonly accountId: string;
  readonly keyId: string | null;
  readonly reason: string;
  /** It was for want of room in a limit; money and rights have events of their own. */
  readonly isLimit: boolean;
  readonly count: number;
  /** When its window began. */
  readonly atMs: number;
  /** How long it is: all gateways have the same setting. */
  readonly windowMs: number;
}

/** The status of a denial. */
export type DeniedStatus = 402 | 403 | 429;

export function deniedStatusOf(reason: string): DeniedStatus {
  if (reason === 'balance' || reason === 'budget') return 402;
  return reason === 'forbidden' ? 403 : 429;
}
