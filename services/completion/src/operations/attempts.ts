import type { Clock, Timer } from '@tollgate/core';
import {
  OUTRUN,
  type VendorCall,
  VendorFailure,
  type VendorOutcome,
  type VendorPort,
} from '../domain/vendor';
import { mayHaveWorked } from '../domain/vendor-failures';
import type { CompletionMetrics } from '../metrics';
import { type Candidate, isOwnChannel } from '../routing/candidate';
import { type AttemptLog, failedAttemptOf, outrunAttemptOf } from './attempt-log';
import { type RetryBudget, waitBeforeRetry } from './retries';

/** Bounds of the calls of one request. */
export interface AttemptBounds {
  /** Vendor calls for one request, the first included. */
  readonly attemptsMax: number;
  /** A stream that is late is asked of a second channel as well. */
  readonly hedgeStreams: boolean;
}

export interface AttemptDependencies {
  readonly vendors: Pick<VendorPort, 'lateFirstTokenMs'>;
  readonly retries: RetryBudget;
  /** Numbers in [0, 1), for the waits before retries. */
  readonly random: () => number;
  readonly clock: Clock;
  readonly metrics: Pick<CompletionMetrics, 'channelLabel' | 'vendorCalls' | 'vendorFirstToken'>;
  readonly bounds: AttemptBounds;
}

/** The request that the calls are made for. */
export interface AttemptRequest {
  readonly candidates: readonly Candidate[];
  readonly stream: boolean;
  readonly log: AttemptLog;
  /** Ends every call. */
  readonly signal: AbortSignal;
  readonly isStopped: () => boolean;
  /** The reservation is enough for an answer of it. */
  readonly covers: (candidate: Candidate) => boolean;
  /** Writes BEGIN for it: what is sent next is its answer. */
  readonly begin: (candidate: Candidate) => void;
  /** `onTurn` hears that it is made: until then it may wait in a queue. */
  readonly callOf: (candidate: Candidate, onTurn: () => void) => VendorCall;
}

/** Makes one call; the signal ends it. */
export type MakeCall<Answer> = (call: VendorCall, signal: AbortSignal) => Promise<Answer>;

/**
 * Calls vendors until one answers. Another channel is tried only while the client has got nothing,
 * and only when the reservation covers it; all calls are one request with one record. A channel is
 * called again only when no connection to it came about and no other is left. A request that one
 * vendor refuses as wrong is not tried on other channels of its model; a fallback model may take it.
 */
export async function callVendors<Answer>(
  deps: AttemptDependencies,
  request: AttemptRequest,
  makeCall: MakeCall<Answer>,
): Promise<Answer> {
  const { retries } = deps;
  const { candidates, log } = request;
  const queue = [...candidates];
  const reached = new Set<string>();
  const refusing = new Set<string>();
  const hedges = new Set<Candidate>();
  const mayBeCalled = (each: Candidate) =>
    !hedges.has(each) && !refusing.has(each.model.name) && request.covers(each);
  let last: { readonly error: VendorFailure; readonly by: Candidate } | undefined;
  for (const [place, candidate] of queue.entries()) {
    const { name } = candidate.model;
    if (log.count >= deps.bounds.attemptsMax) break;
    if (!mayBeCalled(candidate)) continue;
    if (!reached.has(name)) retries.noteRequest(name);
    reached.add(name);
    // A call that was never sent has cost no vendor anything.
    if (last !== undefined && last.error.outcome !== 'not_sent') {
      // This model has no retry left; the fallback models after it have their own.
      if (!retries.take(name)) continue;
      if (!(await waitBeforeRetry(deps, log.otherAttempts.length, request.signal))) break;
    }
    // The operator pays for a call that another one follows. Who pays for the last one is decided
    // when the request ends (`usageOutcomeOf`).
    if (last !== undefined && mayHaveWorked(last.error)) log.paidByOperator.push(last.by);
    request.begin(candidate);
    const called = await callWithHedge(deps, request, makeCall, candidate, {
      next: () => hedgeOf(deps, request, candidate, queue, hedges),
      putBack: (hedge) => hedges.delete(hedge),
    });
    const { by } = called;
    if ('answer' in called) {
      if (by !== candidate) request.begin(by);
      return called.answer;
    }
    const { error } = called;
    if (!(error instanceof VendorFailure)) throw error;
    last = { error, by };
    if (request.isStopped()) break;
    if (error.outcome === 'request_refused') refusing.add(name);
    else if (!error.retryElsewhere) break;
    const isFirstPass = queue.length === candidates.length;
    if (error.retryHere && isFirstPass && !queue.slice(place + 1).some(mayBeCalled)) {
      queue.push(candidate);
    }
  }
  throw last?.error ?? new Error('the reservation covers none of the candidates');
}

/** Another channel of the model, not asked yet, when the budget of the model has a retry. */
function hedgeOf(
  { bounds, retries }: AttemptDependencies,
  { covers, log }: AttemptRequest,
  late: Candidate,
  queue: readonly Candidate[],
  hedges: Set<Candidate>,
): Candidate | undefined {
  if (log.count >= bounds.attemptsMax) return undefined;
  const next = queue
    .slice(queue.indexOf(late) + 1)
    .find(
      (each) =>
        each.model.name === late.model.name &&
        each.channel.id !== late.channel.id &&
        isOwnChannel(each) === isOwnChannel(late) &&
        !hedges.has(each) &&
        covers(each),
    );
  if (next === undefined || !retries.take(late.model.name)) return undefined;
  hedges.add(next);
  return next;
}

interface Answered<Answer> {
  readonly answer: Answer;
  readonly by: Candidate;
}

interface Failed {
  readonly error: unknown;
  readonly by: Candidate;
}

/** Where the second channel of a late stream comes from. */
interface HedgeSource {
  readonly next: () => Candidate | undefined;
  /** It never got the call: it may be tried later like any other. */
  readonly putBack: (hedge: Candidate) => void;
}

interface RunningCall {
  /** Ends it apart from its request. */
  readonly controller: AbortController | undefined;
  /** When it was made; until then, when it joined the queue of its account. */
  calledMs: number;
}

/**
 * Returns the first answer of the candidate and, where it is late, of one other; the loser is ended.
 * When both fail it returns the failure that no other channel can mend, or else the last one.
 */
function callWithHedge<Answer>(
  deps: AttemptDependencies,
  request: AttemptRequest,
  makeCall: MakeCall<Answer>,
  candidate: Candidate,
  hedgeSource: HedgeSource,
): Promise<Answered<Answer> | Failed> {
  const { clock, bounds, metrics, vendors } = deps;
  const { log } = request;
  const { promise, resolve } = Promise.withResolvers<Answered<Answer> | Failed>();
  const running = new Map<Candidate, RunningCall>();
  let lateTimer: Timer | undefined;
  const failures: Failed[] = [];
  const decide = (result: Answered<Answer> | Failed) => {
    lateTimer?.cancel();
    const others = failures.filter((each) => each !== result);
    log.paidByOperator.push(
      ...others.filter(({ error }) => mayHaveWorked(error)).map(({ by }) => by),
    );
    resolve(result);
  };
  const lateMs =
    request.stream && bounds.hedgeStreams ? vendors.lateFirstTokenMs(candidate) : undefined;
  const count = ({ channel }: Candidate, outcome: VendorOutcome) =>
    metrics.vendorCalls.inc({ channel: metrics.channelLabel(channel), outcome });
  const start = (by: Candidate) => {
    log.count += 1;
    // Only the first call resets it: a hedge that still waits in a queue must not hide when the running
    // call was made.
    if (by === candidate) log.calledMs = undefined;
    // Only a call that may be given up for a faster one has to be ended apart from its request.
    const controller = lateMs === undefined ? undefined : new AbortController();
    const call: RunningCall = { controller, calledMs: clock.monotonicMs() };
    running.set(by, call);
    const signal =
      controller === undefined
        ? request.signal
        : AbortSignal.any([request.signal, controller.signal]);
    const onTurn = () => {
      call.calledMs = clock.monotonicMs();
      log.calledMs = call.calledMs;
      // What it waited in the queue says nothing of its vendor.
      if (by !== candidate || lateMs === undefined) return;
      lateTimer = clock.schedule(lateMs + 1, onLate);
    };
    const onAnswer = (answer: Answer) => {
      if (!running.delete(by)) {
        log.paidByOperator.push(by);
        return;
      }
      log.answered = { by, calledMs: call.calledMs };
      for (const [loser, { controller: losing, calledMs: sinceMs }] of running) {
        const span = { calledMs: sinceMs, endedMs: clock.monotonicMs() };
        log.otherAttempts.push(outrunAttemptOf(log, loser, span));
        count(loser, 'aborted');
        losing?.abort(OUTRUN);
      }
      running.clear();
      count(by, 'success');
      if (request.stream) {
        const seconds = (clock.monotonicMs() - call.calledMs) / 1000;
        metrics.vendorFirstToken.observe(seconds, { channel: metrics.channelLabel(by.channel) });
      }
      decide({ answer, by });
    };
    const onFailure = (error: unknown) => {
      if (!running.delete(by)) {
        // Outrun: only its own end says whether its vendor had got it.
        if (mayHaveWorked(error)) log.paidByOperator.push(by);
        return;
      }
      if (error instanceof VendorFailure) {
        count(by, error.outcome);
        const span = { calledMs: call.calledMs, endedMs: clock.monotonicMs() };
        log.otherAttempts.push(failedAttemptOf(log, by, error, span));
        if (by !== candidate && error.outcome === 'not_sent') hedgeSource.putBack(by);
      }
      const failed = { error, by };
      failures.push(failed);
      if (running.size === 0) decide(failures.find(isDecisive) ?? failed);
    };
    makeCall(request.callOf(by, onTurn), signal).then(onAnswer, onFailure);
  };
  const onLate = () => {
    const next = request.isStopped() ? undefined : hedgeSource.next();
    if (next !== undefined) start(next);
  };
  start(candidate);
  return promise;
}

/** A failure that no other channel can mend is told rather than that of the other call. */
function isDecisive({ error }: Failed): boolean {
  return (
    !(error instanceof VendorFailure) || !(error.retryElsewhere || error.outcome === 'aborted')
  );
}
