import { type Clock, createBoundedMap, type Logger, type Timer } from '@tollgate/core';
import { GATEWAYS_KEY, subjectKeys } from './limit-scripts';
import {
  DIMENSIONS,
  type LimitDecision,
  type LimitState,
  type LimitSubject,
  type Permit,
  type Refusal,
  type RequestLimiter,
  type RequestLimits,
} from './limiter';
import type { MemoryLimiter } from './memory-limiter';
import type { LimitCommands } from './redis-connection';

/** What counting in Redis needs. */
export interface RedisLimiterOptions {
  readonly commands: LimitCommands;
  readonly gatewayId: string;
  /** Decides while Redis is away. */
  readonly fallback: MemoryLimiter;
  /** Time of the counters; the server's own when absent, so that gateways agree. */
  readonly counterTime?: () => number;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** A limiter that all gateways share. */
export interface RedisLimiter extends RequestLimiter {
  /** Starts the heartbeat; resolves after the first one, well or not. */
  start(): Promise<void>;
  readonly connected: boolean;
  /** Gateways that were alive at the last heartbeat, this one included. */
  readonly gateways: number;
}

const HEARTBEAT_MS = 1000;
/** Without a heartbeat for so long a gateway's requests in flight are dropped. */
const GATEWAY_TTL_MS = 10_000;
const DENIALS_MAX = 10_000;
/** How long a refusal is repeated without asking: a flood of refused calls then costs little. */
const DENIAL_TTL_MS = 1000;
const HEAD_LENGTH = 6;

/**
 * Counts for all gateways together, one script call per request; releasing is not awaited. While
 * Redis is away each gateway goes on alone with its share of every limit, at least one: together
 * they then admit at most one more window of each limit than they should.
 */
export function createRedisLimiter(options: RedisLimiterOptions): RedisLimiter {
  const { commands, gatewayId, fallback, clock, logger } = options;
  const inFlight = new Map<string, number>();
  // Subjects whose count in Redis may be wrong, because a command about them may be lost.
  const unsure = new Set<string>();
  const denials = createBoundedMap<string, { refusal: Refusal; atMs: number; limits: string }>(
    DENIALS_MAX,
  );
  let connected = false;
  let gateways = 1;
  let beatAtMs = Number.NEGATIVE_INFINITY;
  let timer: Timer | undefined;
  let closed = false;
  const counterTime = () => options.counterTime?.() ?? '';

  const lost = (error: unknown, subjects: readonly LimitSubject[] = []) => {
    for (const { id } of subjects) unsure.add(id);
    if (connected) logger.warn({ error, gateways }, 'Redis is away: limits are shared out');
    connected = false;
  };
  const beat = async (): Promise<void> => {
    try {
      const values = [counterTime(), gatewayId, GATEWAY_TTL_MS];
      gateways = Math.max(1, await commands.heartbeat(GATEWAYS_KEY, values));
      // The others dropped the requests of a gateway that was silent for too long: write them again.
      const dropped = clock.monotonicMs() - beatAtMs > GATEWAY_TTL_MS;
      if (!connected || dropped) await restore();
      beatAtMs = clock.monotonicMs();
      if (!connected) logger.info({ gateways }, 'limits are counted in Redis');
      connected = true;
    } catch (error) {
      lost(error);
    }
  };
  const restore = async () => {
    const ids = [...new Set([...inFlight.keys(), ...unsure])];
    unsure.clear();
    await commands.restore(
      ids.map((id) => [subjectKeys(id)[2], gatewayId, inFlight.get(id) ?? 0] as const),
    );
  };
  const schedule = () => {
    timer = clock.schedule(HEARTBEAT_MS, () => {
      void beat().then(() => {
        if (!closed) schedule();
      });
    });
  };

  const track = (subjects: readonly LimitSubject[], change: 1 | -1) => {
    for (const { id } of subjects) {
      const count = (inFlight.get(id) ?? 0) + change;
      if (count > 0) inFlight.set(id, count);
      else inFlight.delete(id);
    }
  };
  /** However it was admitted, a request in flight is one of ours until it ends. */
  const permitOf = (subjects: readonly LimitSubject[], day: number, local?: Permit): Permit => {
    track(subjects, 1);
    let released = false;
    return {
      release(outcome) {
        if (released) return;
        released = true;
        track(subjects, -1);
        local?.release(outcome);
        if (!connected) {
          for (const { id } of subjects) unsure.add(id);
          return;
        }
        const keys = subjects.flatMap(({ id }) => subjectKeys(id));
        const returned = outcome === 'refused' && local === undefined ? '1' : '0';
        commands
          .release(keys, [gatewayId, day, returned])
          .catch((error: unknown) => lost(error, subjects));
      },
    };
  };
  const decideAlone = (subjects: readonly LimitSubject[]): LimitDecision => {
    const shares = subjects.map(({ id, limits }) => ({ id, limits: shareOf(limits, gateways) }));
    const decision = fallback.acquire(shares);
    if (!decision.admitted) return decision;
    return { ...decision, permit: permitOf(subjects, 0, decision.permit) };
  };
  const repeated = (subjects: readonly LimitSubject[]): Refusal | undefined => {
    const known = denials.get(denialId(subjects));
    if (known === undefined || known.limits !== limitsText(subjects)) return undefined;
    const ageMs = clock.monotonicMs() - known.atMs;
    const { refusal } = known;
    if (ageMs >= Math.min(DENIAL_TTL_MS, refusal.retryAfterMs)) return undefined;
    return { ...refusal, retryAfterMs: Math.max(1, refusal.retryAfterMs - ageMs) };
  };

  return {
    async acquire(subjects) {
      if (!connected) return decideAlone(subjects);
      const refusal = repeated(subjects);
      if (refusal !== undefined) return refusal;
      let answer: readonly number[];
      try {
        const keys = [GATEWAYS_KEY, ...subjects.flatMap(({ id }) => subjectKeys(id))];
        const limits = subjects.flatMap((subject) => limitValues(subject.limits));
        answer = await commands.acquire(keys, [
          counterTime(),
          gatewayId,
          GATEWAY_TTL_MS,
          ...limits,
        ]);
      } catch (error) {
        lost(error, subjects);
        return decideAlone(subjects);
      }
      const decision = fromAnswer(answer, subjects, permitOf);
      if (!decision.admitted && decision.dimension !== 'concurrency') {
        const atMs = clock.monotonicMs();
        const limits = limitsText(subjects);
        denials.set(denialId(subjects), { refusal: decision, atMs, limits });
      }
      return decision;
    },
    async start() {
      commands.onReady(() => void beat());
      await beat();
      schedule();
    },
    async close() {
      closed = true;
      timer?.cancel();
      await commands.close();
    },
    get connected() {
      return connected;
    },
    get gateways() {
      return gateways;
    },
  };
}

function denialId(subjects: readonly LimitSubject[]): string {
  return subjects.map(({ id }) => id).join('|');
}

/** A changed plan or key setting must not be answered from before. */
function limitsText(subjects: readonly LimitSubject[]): string {
  return subjects.flatMap(({ limits }) => limitValues(limits)).join('|');
}

function limitValues(limits: RequestLimits): readonly (number | string)[] {
  const { requestsPerMinute = '', requestsPerDay = '', concurrentRequests = '' } = limits;
  return [requestsPerMinute, requestsPerDay, concurrentRequests];
}

/** One gateway's part of every limit; never nothing. */
function shareOf(limits: RequestLimits, gateways: number): RequestLimits {
  const share = (limit: number | undefined) =>
    limit === undefined ? undefined : Math.max(1, Math.ceil(limit / gateways));
  return {
    requestsPerMinute: share(limits.requestsPerMinute),
    requestsPerDay: share(limits.requestsPerDay),
    concurrentRequests: share(limits.concurrentRequests),
  };
}

function fromAnswer(
  answer: readonly number[],
  subjects: readonly LimitSubject[],
  permitOf: (subjects: readonly LimitSubject[], day: number) => Permit,
): LimitDecision {
  const [admitted = 0, subject = 0, dimension = 0, retryAfterMs = 0, day = 0, dayResetMs = 0] =
    answer;
  const states = subjects.map(({ limits }, index): LimitState => {
    const at = HEAD_LENGTH + index * 3;
    const [minuteCount = 0, minuteResetMs = 0, dayCount = 0] = answer.slice(at, at + 3);
    return { limits, minuteCount, minuteResetMs, dayCount, dayResetMs };
  });
  if (admitted === 1) return { admitted: true, states, permit: permitOf(subjects, day) };
  const named = DIMENSIONS[dimension] ?? 'concurrency';
  return { admitted: false, states, subject, dimension: named, retryAfterMs };
}
