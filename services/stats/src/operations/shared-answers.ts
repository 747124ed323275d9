import { type Clock, createBoundedMap, createTurns, isTransient } from '@tollgate/core';

/** Answers a query by the answer that others got a moment ago, or by a new one. */
export type SharedAnswers<Answer> = (query: string, make: () => Promise<Answer>) => Promise<Answer>;

export interface SharedAnswersOptions {
  readonly clock: Clock;
  /** Answers that are made beside each other. */
  readonly atOnceMax: number;
  /** Queries that may wait for their turn; a further one is refused with SERVICE_UNAVAILABLE. */
  readonly waitingMax: number;
}

/** An answer is kept for so many times as long as it took to make. */
const KEPT_TIMES = 10;
/** A quick failure that may pass is kept no longer, milliseconds: it cost the store little. */
const TRANSIENT_KEPT_MS_MAX = 1_000;
/** A slower one neither, milliseconds: it may be a read too heavy, or an outage that is over. */
const SLOW_TRANSIENT_KEPT_MS_MAX = 30_000;
/** A failure is quick below this time, milliseconds: no read of it met a time-out of its socket. */
const QUICK_MS_MAX = 10_000;

const KEPT_MAX = 32;

/**
 * For answers that cost much and that many ask for again and again. However many ask, and whatever
 * an answer costs, its query takes no more than a tenth of the time: an answer that took 20 ms is
 * 200 ms old at most, one that took 3 s half a minute. A failure is kept as an answer is, but for
 * one that may pass: that is kept for a second at most, or half a minute where it took long, so
 * that the end of an outage is seen soon. While it lasts, such a query may take most of the time.
 */
export function createSharedAnswers<Answer>(options: SharedAnswersOptions): SharedAnswers<Answer> {
  const { clock } = options;
  const kept = createBoundedMap<string, { answer: Promise<Answer>; untilMonotonicMs: number }>(
    KEPT_MAX,
  );
  const inTurn = createTurns({ ...options, whoWaits: 'queries' });
  return (query, make) => {
    const known = kept.get(query);
    if (known !== undefined && clock.monotonicMs() < known.untilMonotonicMs) return known.answer;
    let beganMonotonicMs: number | undefined;
    const answer = inTurn(() => {
      beganMonotonicMs = clock.monotonicMs();
      return make();
    });
    const keep = (mayPass: boolean): void => {
      const endedMonotonicMs = clock.monotonicMs();
      const tookMs = endedMonotonicMs - (beganMonotonicMs ?? endedMonotonicMs);
      const transientMsMax =
        tookMs < QUICK_MS_MAX ? TRANSIENT_KEPT_MS_MAX : SLOW_TRANSIENT_KEPT_MS_MAX;
      const keptMsMax = mayPass ? transientMsMax : Number.POSITIVE_INFINITY;
      made.untilMonotonicMs = endedMonotonicMs + Math.min(KEPT_TIMES * tookMs, keptMsMax);
    };
    answer.then(
      () => keep(false),
      (error: unknown) => keep(isTransient(error)),
    );
    // As long as it is being made, whoever asks waits for it as well.
    const made = { answer, untilMonotonicMs: Number.POSITIVE_INFINITY };
    kept.set(query, made);
    return answer;
  };
}
