import { toAppError } from '@tollgate/core';
import type { Span, Tracing } from '@tollgate/observability';
import type { completionV1 } from '@tollgate/protos';
import {
  type CallInfo,
  type completionDefinition,
  type Handlers,
  type PeerPolicy,
  type ServerDuplex,
  type SessionHandlers,
  type SessionOutput,
  serveSession,
} from '@tollgate/rpc';
import type { AnswerRoom } from '../domain/answer-room';
import type { KeptAnswers } from '../domain/kept-answers';
import type { ActiveRuns } from '../operations/active-runs';
import { complete } from '../operations/complete';
import { createCountTokens } from '../operations/count-tokens';
import { explainRoute } from '../operations/explain';
import { type RecallDependencies, recallLease } from '../operations/recall';
import type { AnswerHead, AnswerUsage, CompletionRequest } from '../operations/request';
import type { RunDependencies } from '../operations/run';
import { type StreamOutput, streamCompletion } from '../operations/stream';
import type { UsageSpool } from '../spool/spool';
import type { ClientTokenCounter } from '../usage/count';
import type { SettlementSpans } from '../usage/settlement-spans';
import { keepAnswers } from './announced-handlers';
import { fromProtoInput } from './from-proto';
import {
  toProtoActive,
  toProtoCandidate,
  toProtoComplete,
  toProtoDisposition,
  toProtoEnd,
  toProtoHead,
} from './to-proto';

type Definition = typeof completionDefinition;
type SessionStream = ServerDuplex<completionV1.SessionRequest, completionV1.SessionResponse>;

/** Who may call what. */
export const completionPolicy: PeerPolicy<Definition> = {
  session: ['gateway'],
  recallLease: ['billing'],
  explainRoute: ['gateway'],
  countTokens: ['gateway'],
  getDefaultTimeouts: ['gateway'],
  listActiveRequests: ['gateway'],
};

export interface HandlerDependencies extends RunDependencies {
  readonly tokens: ClientTokenCounter;
  readonly recall: RecallDependencies;
  readonly spool: RunDependencies['spool'] & Pick<UsageSpool, 'acceptsWork' | 'mayChargeRefused'>;
  readonly runs: RunDependencies['runs'] & Pick<ActiveRuns, 'find'>;
  /** For vendors at channels without time-outs of their own. */
  readonly defaultTimeouts: completionV1.GetDefaultTimeoutsResponse;
  /** Aborts when the service begins to drain: sessions tell their peers. */
  readonly draining: AbortSignal;
  readonly keptAnswers: KeptAnswers;
  readonly answerRoom: AnswerRoom;
  /** Absent is off. */
  readonly tracing?: Tracing | undefined;
  /** Present when something is traced. */
  readonly settlementSpans?: SettlementSpans | undefined;
}

/** A span for one completion; absent, and free, when nothing is traced. */
function startSpan(
  tracing: Tracing | undefined,
  input: completionV1.CompletionInput | undefined,
): Span | undefined {
  if (!tracing?.enabled) return undefined;
  const model = input?.model ?? '';
  const name = input?.embedding === undefined ? 'chat' : 'embeddings';
  return tracing.startSpan(`${name} ${model}`, {
    traceparent: input?.traceparent || undefined,
    kind: 'server',
    attributes: {
      'gen_ai.operation.name': name,
      'gen_ai.request.model': model,
      'tollgate.request_id': input?.requestId ?? '',
    },
  });
}

/** The request with the span of its completion as the parent of vendor calls. */
function within(span: Span | undefined, request: CompletionRequest): CompletionRequest {
  return span === undefined ? request : { ...request, traceparent: span.traceparent };
}

/**
 * The dependencies of the run, which then traces how its record is settled. The settlement goes on
 * after the answer, so it has a span of its own, with the completion's as its parent.
 */
function settledWithin(span: Span | undefined, deps: HandlerDependencies): RunDependencies {
  const { leases, settlementSpans } = deps;
  if (span === undefined || settlementSpans === undefined) return deps;
  return {
    ...deps,
    leases: {
      reserve: (request) => leases.reserve(request),
      release: (reservation) => leases.release(reservation),
      async endRequest(reservation, requestId, outcome) {
        const record = await leases.endRequest(reservation, requestId, outcome);
        settlementSpans.begin(record, span.traceparent);
        return record;
      },
    },
  };
}

/** Who answered, and how much: nothing of what was said. */
function endSpan(span: Span, head: AnswerHead | undefined, usage: AnswerUsage | undefined): void {
  span.setAttributes({
    'gen_ai.response.model': head?.model ?? '',
    'tollgate.channel_id': head?.channelId ?? '',
    'tollgate.attempts': head?.attempts ?? 0,
    'gen_ai.usage.input_tokens': usage?.promptTokens ?? 0,
    'gen_ai.usage.output_tokens': usage?.completionTokens ?? 0,
  });
  span.end();
}

/** Translates, calls one operation, translates back. */
export function createCompletionHandlers(deps: HandlerDependencies): Handlers<Definition> {
  const countTokens = createCountTokens(deps);
  return {
    session: (call, stream) => serveCompletions(deps, call, stream),
    recallLease: async ({ accountId, lease, holder }) =>
      toProtoDisposition(await recallLease(deps.recall, { accountId, lease }, holder)),
    explainRoute: async ({ input, nameChannels }, call) => {
      const request = fromProtoInput(input, call);
      const explained = explainRoute(deps, request);
      const best = explained.find(({ eligible }) => eligible);
      const isForOperator = nameChannels || request.caller.operator;
      return {
        model: best?.candidate.model.name ?? '',
        candidates: explained.map((each) => toProtoCandidate(each, isForOperator)),
      };
    },
    countTokens: async ({ input }, call) => ({
      promptTokens: await countTokens(fromProtoInput(input, call), call.signal),
    }),
    getDefaultTimeouts: async () => deps.defaultTimeouts,
    listActiveRequests: async (sought) => toProtoActive(deps.runs.find(sought)),
  };
}

/** Many requests on one long-lived stream. */
function serveCompletions(
  deps: HandlerDependencies,
  call: CallInfo,
  stream: SessionStream,
): Promise<void> {
  const answering = createSessionHandlers(deps);
  const announced = keepAnswers(deps, answering);
  return serveSession(call, stream, {
    draining: deps.draining,
    ready: () => deps.spool.acceptsWork && deps.routeTable() !== undefined,
    clock: deps.clock,
    logger: deps.logger,
    handlers: {
      complete: (input, context) =>
        input?.keeping === undefined
          ? answering.complete(input, context)
          : announced.complete(input, context),
      stream: (input, context, out) =>
        input?.keeping === undefined
          ? answering.stream(input, context, out)
          : announced.stream(input, context, out),
    },
  });
}

function createSessionHandlers(deps: HandlerDependencies): SessionHandlers {
  return {
    async complete(input, context) {
      const span = startSpan(deps.tracing, input);
      try {
        const request = within(span, fromProtoInput(input, context));
        const answer = await complete(settledWithin(span, deps), request);
        context.onLeft(answer.release);
        if (span !== undefined) endSpan(span, answer.head, answer.usage);
        return toProtoComplete(answer);
      } catch (error) {
        span?.end(toAppError(error).code);
        throw error;
      }
    },
    async stream(input, context, out) {
      const span = startSpan(deps.tracing, input);
      try {
        const request = within(span, fromProtoInput(input, context));
        await streamCompletion(settledWithin(span, deps), request, toStreamOutput(out, span));
      } catch (error) {
        span?.end(toAppError(error).code);
        throw error;
      }
    },
  };
}

function toStreamOutput(out: SessionOutput, span: Span | undefined): StreamOutput {
  let answered: AnswerHead | undefined;
  return {
    head(head) {
      answered = head;
      out.head(toProtoHead(head));
    },
    chunk: (choices) => out.chunk(choices),
    drained: () => out.drained(),
    end(usage, amount, failure) {
      if (failure !== undefined) span?.end(failure.code);
      else if (span !== undefined) endSpan(span, answered, usage);
      out.end(toProtoEnd(usage, amount, failure));
    },
  };
}
