import {
  AppError,
  priceOf,
  type Timer,
  type TokenCounts,
  toAppError,
  ZERO_NANO,
} from '@tollgate/core';
import type { RouteQuery } from '../domain/choose-route';
import {
  type AnswerHead,
  type AnswerUsage,
  type CompletionRequest,
  promptBytesOf,
} from '../domain/completion-request';
import { chargeOf, planDraw, planDrawForAll, tokensCoveredBy } from '../domain/draw';
import { judgeTokens, usualTokensOf } from '../domain/prompt-size';
import type { Offer } from '../domain/route-table';
import { createDeliveredText, type DeliveredText } from '../domain/token-count';
import { acceptUsage } from '../domain/usage';
import type { RequestFacts, RequestOutcome, UsageEntry } from '../domain/usage-record';
import { type VendorCall, VendorFailure } from '../domain/vendor';
import type { Draw } from '../leases/lease-pool';
import type { ActiveRun, StopReason } from './active-runs';
import type { CompletionDependencies } from './dependencies';
import { type Ending, endReasonOf, publicFailureOf, sourceOf, spoolUnavailable } from './ending';
import { drawInputOf, isOwn, planRoute } from './plan-route';

const DEADLINE_MARGIN_MS = 50;

/**
 * One request from its draw to its durable end; the unary and the streamed way share it.
 *
 *   drawn ──BEGIN──▶ begun ──vendor answers──▶ answering ──END durable──▶ ended
 */
export class Run implements ActiveRun {
  readonly request: CompletionRequest;
  /** Aborts the vendor call: the caller is gone, time is up, we shut down, the spool is broken. */
  readonly controller = new AbortController();
  readonly delivered: DeliveredText = createDeliveredText();
  readonly startedMs: number;
  readonly #deps: CompletionDependencies;
  readonly #query: RouteQuery;
  readonly #offers: readonly Offer[];
  readonly #draw: Draw;
  readonly #startedAtMs: number;
  readonly #leave: () => void;
  readonly #onClientGone = () => this.stop('client_gone');
  readonly #deadlineTimer: Timer;
  readonly #stream: boolean;
  #offer: Offer;
  #begun: Promise<void> = Promise.resolve();
  #hasBegun = false;
  #attempts = 0;
  #maxTokens: number | undefined;
  #firstTokenMs: number | null = null;
  #stopReason: StopReason | undefined;
  #checkpointMs: number;
  #checkpointBytes = 0;
  #ending = false;
  #over = false;

  private constructor(
    deps: CompletionDependencies,
    request: CompletionRequest,
    plan: { offers: readonly Offer[]; query: RouteQuery; first: Offer; draw: Draw },
    stream: boolean,
  ) {
    this.#deps = deps;
    this.request = request;
    this.#query = plan.query;
    this.#offers = plan.offers;
    this.#offer = plan.first;
    this.#draw = plan.draw;
    this.#stream = stream;
    this.startedMs = deps.clock.monotonicMs();
    this.#startedAtMs = deps.clock.now();
    this.#checkpointMs = this.startedMs;
    this.#leave = deps.runs.add(this);
    request.signal.addEventListener('abort', this.#onClientGone, { once: true });
    const leftMs = Math.min(request.deadlineMs - DEADLINE_MARGIN_MS, 2 ** 31 - 1);
    this.#deadlineTimer = deps.clock.schedule(Math.max(0, leftMs), () => this.stop('deadline'));
    if (request.signal.aborted) this.#onClientGone();
  }

  /** Chooses, draws and begins. Whatever it refuses has cost nothing and leaves no record. */
  static async open(
    deps: CompletionDependencies,
    request: CompletionRequest,
    stream: boolean,
  ): Promise<Run> {
    try {
      deps.runs.requireRoom();
      if (!deps.spool.acceptsWorkOf(request.caller.accountId)) throw spoolUnavailable();
      const { offers, query } = planRoute(deps, request);
      const [first, ...others] = offers.slice(0, deps.limits.attemptsMax);
      if (first === undefined) throw new AppError('INTERNAL_ERROR');
      const plan = planDrawForAll(
        drawInputOf(first, query),
        others.map((offer) => drawInputOf(offer, query)),
      );
      const draw = await deps.leases.draw({
        accountId: request.caller.accountId,
        budget: isOwn(first) ? null : request.caller.budget,
        worst: plan.worst,
        minimum: plan.minimum,
        signal: request.signal,
      });
      return openDrawn(
        deps,
        draw,
        () => new Run(deps, request, { offers, query, first, draw }, stream),
      );
    } catch (error) {
      deps.metrics.refusals.inc({ code: toAppError(error).code });
      throw error;
    }
  }

  get stopReason(): StopReason | undefined {
    return this.#stopReason;
  }

  /** Resolves when BEGIN is durable: nothing may leave before. */
  get begun(): Promise<void> {
    return this.#begun;
  }

  get head(): AnswerHead {
    return {
      model: this.#offer.model.name,
      created: Math.floor(this.#startedAtMs / 1000),
      attempts: this.#attempts,
      channelId: this.#offer.channel.id,
    };
  }

  stop(reason: StopReason): void {
    if (this.#over || this.#stopReason !== undefined) return;
    this.#stopReason = reason;
    this.controller.abort(reason);
  }

  /**
   * Calls vendors until one answers. Another channel is tried only while the caller has got
   * nothing, and only when the draw covers it; all tries are one request with one record.
   */
  async attempt<Answer>(call: (call: VendorCall) => Promise<Answer>): Promise<Answer> {
    let last: unknown;
    for (const offer of this.#offers) {
      if (this.#attempts >= this.#deps.limits.attemptsMax || !this.#take(offer)) continue;
      try {
        const answer = await call({
          offer,
          requestId: this.request.requestId,
          messages: this.request.messages,
          parameters: this.request.parameters,
          maxTokens: this.#maxTokens,
          choices: this.request.choices,
          stream: this.#stream,
        });
        this.#deps.metrics.vendorCalls.inc({ outcome: 'success' });
        return answer;
      } catch (error) {
        if (!(error instanceof VendorFailure)) throw error;
        this.#deps.metrics.vendorCalls.inc({ outcome: error.outcome });
        last = error;
        if (!error.retryElsewhere || this.#stopReason !== undefined) break;
      }
    }
    throw last;
  }

  /**
   * Text was handed to the caller: remembers when it began and writes checkpoints. None is written
   * for what is `last`, because END follows at once.
   */
  noteDelivered(last: boolean): void {
    const nowMs = this.#deps.clock.monotonicMs();
    if (this.#firstTokenMs === null && this.delivered.bytes > 0) {
      this.#firstTokenMs = Math.round(nowMs - this.startedMs);
      this.#deps.metrics.firstToken.observe(this.#firstTokenMs / 1000);
    }
    if (!last && !this.#ending) this.#writeCheckpointWhenDue(nowMs);
  }

  /** Writes END; when this resolves, the last bytes may leave. */
  async end(ending: Ending): Promise<{ readonly entry: UsageEntry; readonly usage: AnswerUsage }> {
    const { metrics } = this.#deps;
    this.#ending = true;
    try {
      const outcome = await this.#outcomeOf(ending);
      const entry = await this.#deps.leases.end(this.#draw, this.request.requestId, outcome);
      metrics.requests.inc({ reason: outcome.reason, source: outcome.source });
      metrics.duration.observe(outcome.latencyMs / 1000);
      if (outcome.vendorAbsorbed > 0n) {
        metrics.vendorAbsorbed.inc(undefined, Number(outcome.vendorAbsorbed) / 1e9);
      }
      const { promptTokens, completionTokens, cachedTokens } = outcome;
      return { entry, usage: { promptTokens, completionTokens, cachedTokens } };
    } catch (error) {
      throw this.#deps.spool.poison === undefined ? error : spoolUnavailable();
    } finally {
      this.#close();
    }
  }

  /**
   * Ends a request of which the caller has got nothing, and answers the failure to show. A request
   * that has ended already keeps its record.
   */
  async fail(error: unknown): Promise<AppError> {
    const failure = this.failureOf(error);
    if (this.#over) return failure;
    try {
      await this.end({
        reason: endReasonOf(this.#stopReason, error, false),
        status: 'failed',
        errorCode: failure.code,
        usage: error instanceof VendorFailure ? error.spent : undefined,
        delivered: false,
        cut: true,
      });
      return failure;
    } catch (fault) {
      return toAppError(fault);
    }
  }

  /** The failure to show for `error`, or for what stopped the request. */
  failureOf(error: unknown): AppError {
    return publicFailureOf(this.#stopReason, error);
  }

  #writeCheckpointWhenDue(nowMs: number): void {
    const { checkpointMs, checkpointTokens } = this.#deps.limits;
    const deliveredBytes = this.delivered.bytes;
    const newTokens = usualTokensOf(deliveredBytes - this.#checkpointBytes);
    const due = nowMs - this.#checkpointMs >= checkpointMs || newTokens >= checkpointTokens;
    if (!due || newTokens === 0) return;
    this.#checkpointMs = nowMs;
    this.#checkpointBytes = deliveredBytes;
    this.#deps.spool.checkpoint(this.request.requestId, {
      promptBytes: promptBytesOf(this.request),
      deliveredBytes,
      firstTokenMs: this.#firstTokenMs,
      attempts: this.#attempts,
      atMs: this.#deps.clock.now(),
    });
  }

  #elapsedMs(): number {
    return Math.round(this.#deps.clock.monotonicMs() - this.startedMs);
  }

  /** Begins with the offer, or again with another one; false when the draw does not cover it. */
  #take(offer: Offer): boolean {
    const input = drawInputOf(offer, this.#query);
    if (this.#draw.amount < planDraw(input).minimum) return false;
    this.#maxTokens = tokensCoveredBy(input, this.#draw.amount);
    this.#attempts += 1;
    if (this.#hasBegun && offer === this.#offer) return true;
    this.#offer = offer;
    this.#hasBegun = true;
    this.#begun = this.#deps.spool.begin(this.#facts());
    // Whoever sends something awaits it; a failure before that must not end the process.
    this.#begun.catch(() => {});
    return true;
  }

  #facts(): RequestFacts {
    const { caller, clientRequestId, model, requestId } = this.request;
    const offer = this.#offer;
    return {
      requestId,
      clientRequestId,
      accountId: caller.accountId,
      lease: this.#draw.ref.lease,
      keyId: caller.keyId,
      userId: caller.userId,
      model: offer.model.name,
      requestedModel: model,
      channelId: offer.channel.id,
      ownChannel: isOwn(offer),
      priceVersion: offer.model.priceVersion,
      prices: drawInputOf(offer, this.#query).prices,
      drawn: this.#draw.amount,
      stream: this.#stream,
      startedAtMs: this.#startedAtMs,
      budget: isOwn(offer) ? null : caller.budget,
    };
  }

  async #outcomeOf(ending: Ending): Promise<RequestOutcome> {
    const { prices } = drawInputOf(this.#offer, this.#query);
    const exact = acceptUsage(ending.usage, {
      promptBytes: promptBytesOf(this.request),
      messageCount: this.request.messageCount,
      completionTokensMax: this.#offer.model.completionTokensMax * this.request.choices,
      receivedText: this.delivered.bytes > 0,
    });
    const vendorWorked = ending.delivered || exact !== undefined || this.delivered.bytes > 0;
    const spent = vendorWorked ? (exact ?? (await this.#countTokens())) : NO_TOKENS;
    // Nothing delivered is nothing charged, whatever the vendor made us pay for it.
    const charged = ending.delivered ? spent : NO_TOKENS;
    const absorbed = ending.delivered ? ZERO_NANO : priceOf(prices, spent);
    return {
      promptTokens: charged.prompt,
      completionTokens: charged.completion,
      cachedTokens: charged.cached,
      amount: chargeOf(prices, charged, this.#draw.amount),
      source: sourceOf(ending, exact !== undefined),
      reason: ending.reason,
      status: ending.status,
      errorCode: ending.errorCode,
      attempts: this.#attempts,
      latencyMs: this.#elapsedMs(),
      firstTokenMs: this.#firstTokenMs,
      endedAtMs: this.#deps.clock.now(),
      vendorAbsorbed: absorbed,
    };
  }

  /** Counted, or judged by their length when that fails: a request ends in any case. */
  async #countTokens(): Promise<TokenCounts> {
    const { logger, tokens } = this.#deps;
    const { messages, parameters, requestId } = this.request;
    const judge = (bytes: number, textsOf: () => readonly Buffer[]) => (error: unknown) => {
      logger.warn({ error, requestId }, 'tokens were not counted but judged by the bytes');
      return judgeTokens(bytes, textsOf());
    };
    const answers = this.delivered.texts();
    const [prompt, completion] = await Promise.all([
      tokens
        .countPrompt(messages, parameters.capabilityMembers)
        .catch(judge(promptBytesOf(this.request), () => [messages, parameters.capabilityMembers])),
      tokens
        .countAnswer(answers)
        .catch(judge(this.delivered.bytes, () => answers.map((text) => Buffer.from(text)))),
    ]);
    return { prompt, completion, cached: 0 };
  }

  #close(): void {
    if (this.#over) return;
    this.#over = true;
    this.#deadlineTimer.cancel();
    this.request.signal.removeEventListener('abort', this.#onClientGone);
    this.#leave();
  }
}

const NO_TOKENS: TokenCounts = { prompt: 0, completion: 0, cached: 0 };

// The draw is ours from here on: it goes back when the run cannot even be made.
function openDrawn(deps: CompletionDependencies, draw: Draw, open: () => Run): Run {
  try {
    return open();
  } catch (error) {
    deps.leases.release(draw);
    throw error;
  }
}
