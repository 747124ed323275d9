import { assertNever, type RejectionReason } from '@tollgate/core';
import type { Candidate } from './candidate';

/** Why a candidate would not be called now. */
export interface Obstacle {
  /** Only the reasons that hold for every request. */
  readonly kind: Exclude<RejectionReason, 'too_dear' | 'unfit'>;
  /** When it may be otherwise. */
  readonly retryAfterMs: number;
}

/** The state of a candidate as this process sees it. */
export interface CandidateHealth {
  readonly obstacle: Obstacle | undefined;
  /**
   * `trusted`: its last call here succeeded, or it may be tried again, whatever routing heard of it;
   * `demoted`: others of its model do better. Absent when there is nothing to say.
   */
  readonly standing?: 'trusted' | 'demoted' | undefined;
  /** The account holds as many of the channel's connections as it may: a call would wait. */
  readonly isCrowded?: boolean | undefined;
  /** Measured at the channel; undefined before the first answer. */
  readonly firstTokenMs: number | undefined;
  /** Of its streams after their first token; absent before the first that was long enough. */
  readonly tokensPerSecond?: number | undefined;
  /** Calls that succeeded or failed; absent before the first. */
  readonly calls?: number | undefined;
  /** Of them, the newer weighing more. */
  readonly successRate?: number | undefined;
  /** Since its first token was measured last; absent when it never was. */
  readonly measuredAgoMs?: number | undefined;
}

/** A look-up that finds the same for the time of one choice. */
export type HealthLookup = (candidate: Candidate) => CandidateHealth;

/** How long its vendor still wants to be left alone; undefined when it does not. */
export function cooldownOf({ obstacle }: CandidateHealth): number | undefined {
  return obstacle?.kind === 'cooling_down' ? Math.ceil(obstacle.retryAfterMs) : undefined;
}

/** The obstacle as a sentence without a full stop. */
export function obstacleSentence({ kind, retryAfterMs }: Obstacle): string {
  const seconds = Math.ceil(retryAfterMs / 1000);
  switch (kind) {
    case 'failing':
      return `this model fails at the channel; it is tried again in about ${seconds} s`;
    case 'cooling_down':
      return `the vendor limits this model at the channel for about ${seconds} s`;
    case 'busy':
      return 'the channel answers as many requests as it may';
    case 'gone':
      return 'the channel cannot be called';
    default:
      return assertNever(kind);
  }
}

const RETRY_MS_MIN = 1000;
/** When the first of them may serve again; at least a moment, so that nobody asks in a circle. */
export function soonestRetryMs(candidates: readonly Candidate[], healthOf: HealthLookup): number {
  const waits = candidates.map((candidate) => healthOf(candidate).obstacle?.retryAfterMs ?? 0);
  return Math.max(RETRY_MS_MIN, Math.ceil(Math.min(...waits)));
}
