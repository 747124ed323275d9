import {
  AppError,
  type Clock,
  type Logger,
  type Timer,
  toIsoTime,
  type UsageStart,
} from '@tollgate/core';
import { tokensCoveredBy } from '../credit/cost-range';
import type { LeaseManager } from '../credit/lease-manager';
import { explainShortage, type Need, type Reservation } from '../credit/reservation';
import type { VendorCall, VendorPort } from '../domain/vendor';
import type { CompletionMetrics } from '../metrics';
import { type Candidate, isOwnChannel } from '../routing/candidate';
import type { UsageSpool } from '../spool/spool';
import type { TokenCounter } from '../usage/count';
import { createDeliveredText, type DeliveredText } from '../usage/delivered-text';
import { usualTokensOf } from '../usage/estimate';
import type { AbandonedWork } from './abandoned-work';
import type { ActiveRun, ActiveRuns, StopReason } from './active-runs';
import type { AttemptLog } from './attempt-log';
import { type AttemptBounds, type AttemptRequest, callVendors, type MakeCall } from './attempts';
import {
  type PlanDependencies,
  type PricedCandidate,
  planRequest,
  type RequestPlan,
  withPromptsAtMost,
} from './plan';
import type { PromptRoom } from './prompt-room';
import { type AnswerHead, type CompletionRequest, promptWeightOf } from './request';
import type { RetryBudget } from './retries';
import type { FinishedRequest } from './worked-tokens';

/** Bounds of one request. */
export interface RunBounds extends AttemptBounds {
  readonly checkpointMs: number;
  readonly checkpointTokens: number;
  /** A gateway ends slow clients itself: a stream that is paused for this long has a lost one. */
  readonly stalledReaderMs: number;
}

export interface RunDependencies extends PlanDependencies {
  readonly vendors: VendorPort;
  readonly leases: Pick<LeaseManager, 'endRequest' | 'release' | 'reserve'>;
  readonly spool: Pick<UsageSpool, 'acceptsWorkOf' | 'begin' | 'checkpoint' | 'poisonedBy'>;
  readonly runs: Pick<ActiveRuns, 'add' | 'requireRoom'>;
  readonly prompts: PromptRoom;
  readonly tokens: TokenCounter;
  readonly retries: RetryBudget;
  readonly abandoned: AbandonedWork;
  /** Numbers in [0, 1), for the waits before retries. */
  readonly random: () => number;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: CompletionMetrics;
  readonly bounds: RunBounds;
}

/** A request is ended so long before its client stops waiting, so that the client hears of it. */
const DEADLINE_MARGIN_MS = 50;

/** A request that was not refused: its channels are chosen and its credit is reserved. */
interface OpenedRequest {
  readonly plan: RequestPlan;
  readonly reservation: Reservation;
  readonly stream: boolean;
  /** When it arrived: monotonic, and epoch milliseconds. */
  readonly startedMs: number;
  readonly startedAtMs: number;
  readonly releasePrompt: () => void;
}

/**
 * The life of one request, answered whole or streamed:
 *
 *   open           it is refused, or its channels are chosen and its credit is reserved
 *   callVendors    vendors are called, best first, until one answers; BEGIN is written meanwhile
 *   begun          the next step is safe: a stream may send, a whole answer may write END
 *   noteDelivered  text left: a checkpoint is written now and then
 *
 * `endRun` and `failRun` find its cost and write END. `stop` ends it from outside: the vendor call is
 * aborted, and whoever waits for it ends the run.
 */
export class Run implements ActiveRun {
  readonly request: CompletionRequest;
  /** Aborts the vendor call: the client is gone, time is up, we shut down, the spool is broken. */
  readonly controller = new AbortController();
  readonly deliveredText: DeliveredText = createDeliveredText();
  readonly reservation: Reservation;
  readonly startedAtMs: number;
  readonly stream: boolean;
  readonly attempts: AttemptLog;
  /** Its reader took less than the vendor sent at some time. */
  hasSlowReader = false;
  readonly #deps: RunDependencies;
  readonly #plan: RequestPlan;
  readonly #startedMs: number;
  readonly #leave: () => void;
  readonly #onClientGone = () => this.stop('client_gone');
  readonly #deadlineTimer: Timer;
  readonly #queueWait = { ms: 0 };
  /** The one that is called, or was called last. */
  #called: PricedCandidate;
  #begun: Promise<void> = Promise.resolve();
  #hasBegun = false;
  #firstTokenMs: number | undefined;
  #stopReason: StopReason | undefined;
  #checkpointMs = 0;
  #checkpointBytes = 0;
  #over = false;

  /** Chooses and reserves. Whatever it refuses has cost nothing and leaves no record. */
  static async open(
    deps: RunDependencies,
    request: CompletionRequest,
    stream: boolean,
  ): Promise<Run> {
    const { accountId, budget } = request.caller;
    // Before it waits for credit: its client waits already.
    const arrival = { startedMs: deps.clock.monotonicMs(), startedAtMs: deps.clock.now() };
    let need: Need | undefined;
    let releasePrompt: (() => void) | undefined;
    try {
      deps.runs.requireRoom();
      deps.abandoned.requireFew(accountId);
      if (!deps.spool.acceptsWorkOf(accountId)) throw spoolUnavailable();
      releasePrompt = deps.prompts.take(request);
      const plan = planRequest(deps, request, deps.bounds.attemptsMax);
      const { credit, first } = plan;
      need = { minimum: credit.minimum, currency: first.candidate.model.currency };
      const reservation = await deps.leases.reserve({
        accountId,
        // The key's budget pays as soon as any candidate may cost something, not the first alone.
        budget: plan.isOwn ? undefined : budget,
        ...plan.credit,
        signal: request.signal,
      });
      try {
        const payable = reservation.isBesideCredit ? withPromptsAtMost(plan) : plan;
        const opened = { ...arrival, plan: payable, reservation, releasePrompt, stream };
        return new Run(deps, request, opened);
      } catch (error) {
        // The credit is ours by now, though the run cannot even be made.
        deps.leases.release(reservation);
        throw error;
      }
    } catch (error) {
      releasePrompt?.();
      const failure = explainShortage(error, need);
      deps.vendors.noteRejected(failure.rejected);
      deps.metrics.refusals.inc({ code: failure.code });
      throw failure;
    }
  }

  private constructor(
    deps: RunDependencies,
    request: CompletionRequest,
    { plan, releasePrompt, reservation, startedAtMs, startedMs, stream }: OpenedRequest,
  ) {
    this.#deps = deps;
    this.request = request;
    this.#plan = plan;
    this.#called = plan.first;
    this.reservation = reservation;
    this.stream = stream;
    this.#startedMs = startedMs;
    this.startedAtMs = startedAtMs;
    this.attempts = { startedMs, count: 0, otherAttempts: [], paidByOperator: [] };
    const leave = deps.runs.add(this);
    this.#leave = () => {
      leave();
      releasePrompt();
    };
    request.signal.addEventListener('abort', this.#onClientGone, { once: true });
    const untilMs = startedMs + request.deadlineMs - DEADLINE_MARGIN_MS;
    const leftMs = Math.min(untilMs - deps.clock.monotonicMs(), 2 ** 31 - 1);
    this.#deadlineTimer = deps.clock.schedule(Math.max(0, leftMs), () => this.stop('deadline'));
    if (request.signal.aborted) this.#onClientGone();
  }

  /** The first answer of the candidates; what does not help is in the record. */
  callVendors<Answer>(makeCall: MakeCall<Answer>): Promise<Answer> {
    const request: AttemptRequest = {
      candidates: this.#plan.candidates.map(({ candidate }) => candidate),
      stream: this.stream,
      log: this.attempts,
      signal: this.controller.signal,
      isStopped: () => this.#stopReason !== undefined,
      covers: (candidate) => this.reservation.amount >= this.#pricedOf(candidate).costRange.minimum,
      begin: (candidate) => this.#begin(this.#pricedOf(candidate)),
      callOf: (candidate, onTurn) => ({ ...this.#callOf(candidate), onTurn }),
    };
    return callVendors(this.#deps, request, makeCall);
  }

  get begun(): Promise<void> {
    return this.#begun;
  }

  get head(): AnswerHead {
    const { channel, model } = this.#called.candidate;
    return {
      model: model.name,
      created: Math.floor(this.startedAtMs / 1000),
      attempts: this.attempts.count,
      channelId: channel.id,
    };
  }

  /**
   * Text was handed to the client: remembers when it began and writes checkpoints. Where it `waits`
   * for a slow reader, or END for what the vendor has still to say, all text so far has one.
   */
  noteDelivered(waits: boolean): void {
    const monotonicNowMs = this.#deps.clock.monotonicMs();
    if (this.#firstTokenMs === undefined && this.deliveredText.bytes > 0) {
      this.#firstTokenMs = Math.round(monotonicNowMs - this.#startedMs);
      this.#checkpointMs = monotonicNowMs;
      this.#deps.metrics.firstToken.observe(this.#firstTokenMs / 1000);
    }
    this.#writeCheckpointWhenDue(monotonicNowMs, waits);
  }

  /** What its cost is reckoned from, once its last vendor call is over. */
  get finished(): FinishedRequest {
    const { candidate, input } = this.#called;
    return {
      request: this.request,
      candidate,
      prices: input.prices,
      reserved: this.reservation.amount,
      text: this.deliveredText,
      attempts: this.attempts,
      startedMs: this.#startedMs,
      firstTokenMs: this.#firstTokenMs,
    };
  }

  stop(reason: StopReason): void {
    if (this.#over || this.#stopReason !== undefined) return;
    this.#stopReason = reason;
    this.controller.abort(reason);
  }

  get stopReason(): StopReason | undefined {
    return this.#stopReason;
  }

  #pricedOf(candidate: Candidate): PricedCandidate {
    const found = this.#plan.candidates.find((each) => each.candidate === candidate);
    return found ?? this.#plan.first;
  }

  /** Writes BEGIN, again for another candidate. */
  #begin(priced: PricedCandidate): void {
    if (this.#hasBegun && priced === this.#called) return;
    this.#called = priced;
    this.#hasBegun = true;
    this.#begun = this.#deps.spool.begin(this.#start());
    // Its failure is seen by whoever awaits it before sending; until then it counts as handled.
    this.#begun.catch(() => {});
  }

  #start(): UsageStart {
    const { caller, clientRequestId, ignoredMembers, limitsLeft } = this.request;
    const { model, requestId } = this.request;
    const { candidate, input } = this.#called;
    const isOwn = isOwnChannel(candidate);
    return {
      requestId,
      clientRequestId,
      accountId: caller.accountId,
      lease: this.reservation.ref.lease,
      keyId: caller.keyId,
      userId: caller.userId,
      model: candidate.model.name,
      requestedModel: model,
      channelId: candidate.channel.id,
      ownChannel: isOwn,
      priceVersion: candidate.model.priceVersion,
      prices: input.prices,
      reserved: this.reservation.amount,
      stream: this.stream,
      startedAt: toIsoTime(this.startedAtMs),
      limitsLeft,
      ignoredMembers,
      budget: isOwn ? undefined : caller.budget,
    };
  }

  #callOf(candidate: Candidate): Omit<VendorCall, 'onTurn'> {
    const { caller, choices, embedding, messages, parameters } = this.request;
    const { requestId, traceparent } = this.request;
    const { input, costRange } = this.#pricedOf(candidate);
    const maxTokens = tokensCoveredBy(input, costRange, this.reservation.amount);
    const promptWeight = promptWeightOf(this.request);
    const asked = { requestId, messages, promptWeight, parameters, maxTokens, choices, embedding };
    const { accountId } = caller;
    const queueWait = this.#queueWait;
    return { candidate, accountId, queueWait, traceparent, ...asked, stream: this.stream };
  }

  #writeCheckpointWhenDue(monotonicNowMs: number, isDueNow: boolean): void {
    const { checkpointMs, checkpointTokens } = this.#deps.bounds;
    const deliveredBytes = this.deliveredText.bytes;
    const newTokens = usualTokensOf(deliveredBytes - this.#checkpointBytes);
    const due =
      isDueNow ||
      monotonicNowMs - this.#checkpointMs >= checkpointMs ||
      newTokens >= checkpointTokens;
    if (!due || newTokens === 0) return;
    this.#checkpointMs = monotonicNowMs;
    this.#checkpointBytes = deliveredBytes;
    this.#deps.spool.checkpoint(this.request.requestId, {
      promptBytes: promptWeightOf(this.request),
      deliveredBytes,
      firstTokenMs: this.#firstTokenMs ?? null,
      attempts: this.attempts.count,
      atMs: this.#deps.clock.now(),
    });
  }

  /** True once END is written, or could not be. */
  get over(): boolean {
    return this.#over;
  }

  close(): void {
    if (this.#over) return;
    this.#over = true;
    this.#deadlineTimer.cancel();
    this.request.signal.removeEventListener('abort', this.#onClientGone);
    this.#leave();
  }
}

/** The spool cannot take a record, so nothing may be served that could not be charged. */
function spoolUnavailable(): AppError {
  return new AppError('SERVICE_UNAVAILABLE', {
    internalMessage: 'the usage spool takes no records',
    retryAfterMs: 5000,
  });
}
