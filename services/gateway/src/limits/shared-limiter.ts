import { type Clock, DAY_MS, LIMIT_NAMES, type Logger, type Timer } from '@tollgate/core';
import { repeat } from '@tollgate/jobs';
import type {
  CountedIn,
  LimitDecision,
  LimitSubject,
  Permit,
  RequestLimiter,
  RequestLimits,
} from './limiter';
import type { MemoryLimiter } from './memory-limiter';
import type { CounterView, ShareAnswer, SharedCounters } from './shared-counters';
import { limitRefusalOf, SHARE_INTERVAL_MS, type ShareTime, SubjectShare } from './subject-share';

export interface SharedLimiterOptions {
  readonly counters: SharedCounters;
  /** Decides while the counters are away and nothing is left of the shares. */
  readonly alone: MemoryLimiter;
  /**
   * Subjects that are remembered while the counters are away. Beyond them one that was quiet for a
   * minute is forgotten, and the counters never hear what it used.
   */
  readonly subjectsMax: number;
  readonly clock: Clock;
  readonly logger: Logger;
}

const HEARTBEAT_MS = 1000;
/** Without a heartbeat for so long a gateway's shares are given to others. */
export const GATEWAY_TTL_MS = 10_000;
/** The gateway itself uses them a second less: so long a heartbeat may be on its way. */
const SHARES_TTL_MS = 9000;
/** One question keeps Redis from everybody else: about a millisecond. */
const SUBJECTS_PER_CALL = 32;

/** Calls in one tick of the event loop; more subjects wait for the next tick. */
const CALLS_PER_TICK = 8;

/** A request that no share sufficed for. */
interface Waiter {
  readonly sinceMs: number;
  readonly subjects: readonly LimitSubject[];
  readonly shares: readonly SubjectShare[];
  readonly resolve: (decision: LimitDecision) => void;
}

/**
 * A limiter that all gateways share: it counts for them together. Each gateway has a share of every
 * limit that it uses and decides by itself while that lasts; what it used and what it needs it tells
 * and asks in the background. A share is at most a part of what is free, so that little is kept from
 * the other gateways; near a limit it is nothing, and every request asks.
 *
 * While the counters are away what is left of the shares goes on for some seconds, and then each
 * gateway alone with its part of every limit, rounded up: together they then admit at most one more
 * window of each limit than they should.
 */
export class SharedLimiter implements RequestLimiter {
  readonly #options: SharedLimiterOptions;
  readonly #clock: Clock;
  /** Whatever has a share, a running request, or a refusal that is remembered. */
  readonly #shares = new Map<string, SubjectShare>();
  /** The shares among them that the next interval looks at. */
  readonly #active = new Set<SubjectShare>();
  /** The shares among them that ask when this tick of the event loop is over. */
  readonly #urgent = new Set<SubjectShare>();
  /** The requests that wait for each share, in the order in which they came. */
  readonly #waiters = new Map<SubjectShare, Set<Waiter>>();
  #flushing = false;
  #interval: Timer | undefined;
  #connected = false;
  #gateways = 1;
  /** When the last question was sent that the counters answered. */
  #contactMonotonicMs = Number.NEGATIVE_INFINITY;
  /**
   * The counters were silent for so long that others may have been given our reserves; they are
   * dropped, once.
   */
  #stale = false;
  /** The counters' time less our monotonic one. It is too large by at most the way of one answer. */
  #counterOffsetMs: number;
  readonly #closing = new AbortController();

  constructor(options: SharedLimiterOptions) {
    this.#options = options;
    this.#clock = options.clock;
    this.#counterOffsetMs = options.clock.now() - options.clock.monotonicMs();
  }

  /** For tests: whether the counters answered last. */
  get connected(): boolean {
    return this.#connected;
  }

  /** For tests: gateways that were alive when the counters answered last, this one included. */
  get gateways(): number {
    return this.#gateways;
  }

  acquire(subjects: readonly LimitSubject[]): LimitDecision | Promise<LimitDecision> {
    const time = this.#time();
    const decision = this.#decide(subjects, time);
    if (decision !== undefined) return decision;
    return new Promise((resolve) => {
      const shares = subjects.map((subject) => this.#shareOf(subject, time));
      const waiter = { sinceMs: time.monotonicNowMs, subjects, shares, resolve };
      for (const share of shares) {
        const waiters = this.#waiters.get(share);
        if (waiters === undefined) this.#waiters.set(share, new Set([waiter]));
        else waiters.add(waiter);
        share.waiting += 1;
        this.#urgent.add(share);
      }
      this.#flushSoon();
    });
  }

  /** Starts the heartbeat; resolves after the first one, well or not. */
  async start(): Promise<void> {
    this.#options.counters.onReady(() => void this.#beat());
    await this.#beat();
    const work = {
      name: 'heartbeat of limits',
      intervalMs: HEARTBEAT_MS,
      firstAfterMs: HEARTBEAT_MS,
      run: () => this.#beat(),
    };
    void repeat(work, this.#options, this.#closing.signal);
  }

  async close(): Promise<void> {
    this.#closing.abort();
    this.#interval?.cancel();
    const { counters } = this.#options;
    // The counters forget us by themselves when they hear nothing more.
    if (this.#connected) {
      const told = this.#reportAll(Number.POSITIVE_INFINITY);
      await Promise.all([told, counters.leave()]).catch(() => undefined);
    }
    counters.close();
  }

  #time(): ShareTime {
    const monotonicNowMs = this.#clock.monotonicMs();
    return { monotonicNowMs, counterMs: monotonicNowMs + this.#counterOffsetMs };
  }

  /**
   * Decides by what the shares hold here; returns undefined when the counters have to be asked. A
   * refusal that is remembered decides when it had not run out at `refusedMs`.
   */
  #decide(subjects: readonly LimitSubject[], time: ShareTime, refusedMs = time.monotonicNowMs) {
    if (!this.#stale && time.monotonicNowMs - this.#contactMonotonicMs >= SHARES_TTL_MS)
      this.#dropReserves();
    const shares = subjects.map((subject) => this.#shareOf(subject, time));
    if (shares.every((share) => share.suffices)) {
      const permit = this.#permitOf(shares, time, undefined);
      return { admitted: true as const, states: shares.map((each) => each.state(time)), permit };
    }
    if (!this.#connected) return this.#decideAlone(shares, time);
    return limitRefusalOf(shares, { ...time, monotonicNowMs: refusedMs });
  }

  /** Decides by this gateway's part of every limit. */
  #decideAlone(shares: readonly SubjectShare[], time: ShareTime): LimitDecision {
    const subjects = shares.map(({ id, limits, inFlight, inFlightAlone }) => {
      const inFlightElsewhere = inFlight - inFlightAlone;
      return { id, limits: partOf(limits, this.#gateways), inFlightElsewhere };
    });
    const decision = this.#options.alone.acquire(subjects);
    if (!decision.admitted) return decision;
    return { ...decision, permit: this.#permitOf(shares, time, decision.permit) };
  }

  /** However it was admitted, a request in flight is one of ours until it ends. */
  #permitOf(shares: readonly SubjectShare[], time: ShareTime, local: Permit | undefined): Permit {
    const alone = local !== undefined;
    for (const share of shares) {
      share.take(time, alone);
      this.#active.add(share);
    }
    this.#reportLater();
    const day = Math.floor(time.counterMs / DAY_MS);
    let released = false;
    return {
      release: (countedIn) => {
        if (released) return;
        released = true;
        local?.release(countedIn);
        this.#release(shares, day, countedIn, alone);
      },
    };
  }

  #release(
    shares: readonly SubjectShare[],
    day: number,
    countedIn: CountedIn,
    alone: boolean,
  ): void {
    for (const share of shares) {
      const returns = share.release(day, countedIn, alone);
      this.#active.add(share);
      if (!returns) continue;
      this.#urgent.add(share);
      this.#flushSoon();
    }
    this.#reportLater();
  }

  #shareOf({ id, limits }: LimitSubject, { monotonicNowMs }: ShareTime): SubjectShare {
    let share = this.#shares.get(id);
    if (share === undefined) {
      share = new SubjectShare(id, limits, monotonicNowMs);
      this.#shares.set(id, share);
      this.#active.add(share);
    }
    share.limits = limits;
    return share;
  }

  #reportLater(): void {
    if (this.#interval !== undefined || this.#closing.signal.aborted) return;
    this.#interval = this.#clock.schedule(SHARE_INTERVAL_MS, () => {
      this.#interval = undefined;
      this.#report();
      if (this.#active.size > 0) this.#reportLater();
    });
  }

  /** Reports uses, and gives up what is not used any more. */
  #report(): void {
    const { monotonicNowMs } = this.#time();
    for (const share of this.#active) {
      if (share.isOver(monotonicNowMs)) {
        this.#active.delete(share);
        this.#shares.delete(share.id);
      } else if (!this.#connected && share.isForgotten(monotonicNowMs)) {
        // Nothing to do until the counters are back and are told of it.
        this.#active.delete(share);
        if (this.#shares.size <= this.#options.subjectsMax) continue;
        this.#shares.delete(share.id);
        this.#urgent.delete(share);
      } else if (share.isDue(monotonicNowMs)) this.#urgent.add(share);
      else if (!share.needsInterval) this.#active.delete(share);
    }
    void this.#flush();
  }

  /** After a break, or when the counters have forgotten, all of it. */
  async #reportAll(callsMax?: number): Promise<void> {
    for (const share of this.#shares.values()) {
      share.unsure = true;
      this.#urgent.add(share);
      this.#active.add(share);
    }
    this.#reportLater();
    await this.#flush(callsMax);
  }

  /** All questions of one tick of the event loop are one. */
  #flushSoon(): void {
    if (this.#flushing) return;
    this.#flushing = true;
    setImmediate(() => {
      this.#flushing = false;
      void this.#flush();
    });
  }

  #flush(callsMax = CALLS_PER_TICK): Promise<unknown> | undefined {
    if (!this.#connected) return undefined;
    const calls: Promise<void>[] = [];
    let ready: SubjectShare[] = [];
    for (const share of this.#urgent) {
      if (share.asking) continue;
      if (ready.length === SUBJECTS_PER_CALL) {
        calls.push(this.#ask(ready));
        ready = [];
        if (calls.length === callsMax) break;
      }
      this.#urgent.delete(share);
      ready.push(share);
    }
    if (ready.length > 0) calls.push(this.#ask(ready));
    if (calls.length >= callsMax) this.#flushSoon();
    return Promise.all(calls);
  }

  async #ask(shares: readonly SubjectShare[]): Promise<void> {
    const time = this.#time();
    let answer: ShareAnswer;
    try {
      answer = await this.#options.counters.share(shares.map((share) => share.ask(time)));
    } catch (error) {
      for (const share of shares) share.lost();
      this.#lose(error);
      return;
    }
    const cameMs = this.#clock.monotonicMs();
    for (const [index, share] of shares.entries()) {
      const grant = answer.grants[index];
      if (grant === undefined) share.lost();
      else share.answered(grant, time.monotonicNowMs, cameMs);
    }
    this.#heard(answer, time.monotonicNowMs);
    this.#serveWaiters(shares, time.monotonicNowMs);
  }

  /**
   * Decides about who waits for one of these shares. Who waited when the question was sent, at
   * `askedMs`, is judged by its answer, even when the refusal in it has run out on its way; who came
   * later is judged as of now. Where neither says anything the share is asked again.
   */
  #serveWaiters(shares: Iterable<SubjectShare>, askedMs = Number.NEGATIVE_INFINITY): void {
    const time = this.#time();
    for (const share of shares) {
      for (const waiter of this.#waiters.get(share) ?? []) {
        const refusedMs = waiter.sinceMs <= askedMs ? askedMs : time.monotonicNowMs;
        const decision = this.#decide(waiter.subjects, time, refusedMs);
        if (decision === undefined) {
          for (const each of waiter.shares) this.#urgent.add(each);
        } else this.#dismiss(waiter, decision);
      }
    }
    if (this.#urgent.size > 0) this.#flushSoon();
  }

  #dismiss(waiter: Waiter, decision: LimitDecision): void {
    for (const share of waiter.shares) {
      share.waiting -= 1;
      const waiters = this.#waiters.get(share);
      waiters?.delete(waiter);
      if (waiters?.size === 0) this.#waiters.delete(share);
    }
    waiter.resolve(decision);
  }

  async #beat(): Promise<void> {
    const sentMs = this.#clock.monotonicMs();
    try {
      this.#heard(await this.#options.counters.heartbeat(), sentMs);
    } catch (error) {
      this.#lose(error);
    }
  }

  #heard({ counterMs, gateways, known }: CounterView, sentMs: number): void {
    const dropped = sentMs - this.#contactMonotonicMs >= SHARES_TTL_MS;
    const again = !this.#connected;
    if (dropped && !this.#stale) this.#dropReserves();
    this.#stale = false;
    this.#contactMonotonicMs = sentMs;
    this.#counterOffsetMs = counterMs - sentMs;
    this.#gateways = gateways;
    this.#connected = true;
    if (again) this.#options.logger.info({ gateways }, 'limits are counted in Redis');
    if (again || dropped || !known) void this.#reportAll();
  }

  #lose(error: unknown): void {
    const gateways = this.#gateways;
    if (this.#connected) {
      this.#options.logger.warn({ error, gateways }, 'Redis is away: limits are shared out');
    }
    this.#connected = false;
    this.#serveWaiters([...this.#waiters.keys()]);
  }

  /** Others may have been given what was not used here; running requests stay ours. */
  #dropReserves(): void {
    this.#stale = true;
    for (const share of this.#shares.values()) share.dropReserve();
  }
}

/** One gateway's part of every limit: rounded up, so that one above 0 admits something everywhere. */
function partOf(limits: RequestLimits, gateways: number): RequestLimits {
  const part = (limit: number | undefined) =>
    limit === undefined ? undefined : Math.ceil(limit / gateways);
  return Object.fromEntries(LIMIT_NAMES.map((name) => [name, part(limits[name])]));
}
