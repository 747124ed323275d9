import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { AppError, toAppError } from '@tollgate/core';
import { completionV1 } from '@tollgate/protos';
import {
  type CompletionCall,
  type CompletionClient,
  NotBegunError,
  RequestTooLongError,
} from '../../clients/completion/client';
import type { ControlPlane } from '../../clients/control-plane';
import { invalidField } from '../../http/errors';
import type { HttpExchange } from '../../http/exchange';
import { IDEMPOTENCY_KEY_HEADER, REPLAYED_HEADER } from '../../http/idempotency-key';
import type { AccountPlan } from '../../limits/plan-table';
import type { AnswerSource } from '../answer';
import type { ChatFormat } from '../format';
import type { ChatRequest } from '../request';
import type { DropAnnouncement } from './dropped-announcements';
import { DISCONNECT_HEADER, type Keeping } from './keeping-headers';
import { type AnswerForm, type ReplayedAnswer, replay, requireModel } from './replay-kept';

const EXPLAIN_DEADLINE_MS = 5_000;

/** Added to the deadline of the request: when this is over too, nobody makes its answer any more. */
const RUNNING_MARGIN_MS = 30_000;

/** Bytes of the form that is kept for a day beside the answer: room for a catalogue of tools. */
const FORM_BYTES_MAX = 256 * 1024;

/** A completion whose answer is kept, before anything of it is begun. */
export interface AnnouncedCompletion {
  readonly keeping: Keeping;
  readonly exchange: HttpExchange;
  readonly plan: AccountPlan;
  readonly format: ChatFormat;
  readonly request: ChatRequest;
  /** The body as it came. */
  readonly bytes: Buffer;
  readonly call: CompletionCall;
  /** `openKept` sets its `keeping` once the request is announced. */
  readonly input: completionV1.CompletionInput;
}

/** What announcing a request needs. */
export interface AnnounceDependencies {
  readonly billing: Pick<ControlPlane['billing'], 'beginAnswer'>;
  /** Knows whether the request would be taken now. */
  readonly client: Pick<CompletionClient, 'explain'>;
  readonly dropAnnouncement: DropAnnouncement;
}

/**
 * Announces a request to billing, which keeps its answer, and then opens it; an equal one that was
 * answered before is answered the same, unless it would be refused its model now. Rejects with
 * FORBIDDEN when the plan keeps no answers, with CONFLICT while an equal request runs, and with
 * IDEMPOTENCY_MISMATCH for another body. Undefined when the client left before anything was begun.
 */
export async function openKept(
  deps: AnnounceDependencies,
  { open }: AnswerSource,
  announced: AnnouncedCompletion,
): Promise<AnswerSource | undefined> {
  const { call, exchange, input, keeping } = announced;
  const first = await announce(deps, announced).catch((error: unknown) => {
    // Without an answer of billing it may be announced all the same, and its key would be held.
    if (toAppError(error).definition.httpStatus >= 500) deps.dropAnnouncement(call);
    throw error;
  });
  if (first !== undefined) {
    // A request that would be refused now gets no answer either: rights may have been taken away.
    await deps.client.explain(
      { input, nameChannels: false },
      { ...call, deadlineMs: EXPLAIN_DEADLINE_MS, isReplay: true },
    );
    requireModel(first.answer, namesOf(input), input.caller);
    exchange.headers[REPLAYED_HEADER] = 'true';
    return { answerId: first.requestId, open: (listener) => replay(first, listener) };
  }
  if (exchange.response.destroyed) {
    deps.dropAnnouncement(call);
    return undefined;
  }
  input.keeping = { finish: keeping.finish };
  const source = { answerId: call.requestId, open: openAnnounced(deps, call, open) };
  return keeping.finish ? toItsEnd(source) : source;
}

async function announce(
  { billing }: AnnounceDependencies,
  { bytes, call, exchange, format, keeping, plan, request, input }: AnnouncedCompletion,
): Promise<ReplayedAnswer | undefined> {
  if (!plan.keepAnswers) {
    throw new AppError('FORBIDDEN', {
      publicMessage:
        'The plan of this account keeps no answers, so that ' +
        `${IDEMPOTENCY_KEY_HEADER} and ${DISCONNECT_HEADER}: finish cannot be used.`,
    });
  }
  const { accountId, requestId, traceparent } = call;
  const { echo, includeUsage } = request;
  const form: AnswerForm = { format: format.name, echo, includeUsage, names: namesOf(input) };
  const formBytes = Buffer.from(JSON.stringify(form));
  if (formBytes.length > FORM_BYTES_MAX) {
    throw invalidField(
      keeping.key === '' ? DISCONNECT_HEADER : IDEMPOTENCY_KEY_HEADER,
      'cannot be used with a request whose answer repeats so much of it: shorten instructions, ' +
        `tools, metadata and text.format to ${FORM_BYTES_MAX} bytes in all.`,
    );
  }
  const first = await billing.beginAnswer(
    {
      accountId,
      requestId,
      idempotencyKey: keeping.key,
      keyId: input.caller?.keyId ?? '',
      requestDigest: digestOf(format.name, exchange.request.headers, bytes),
      runningMsMax: call.deadlineMs + RUNNING_MARGIN_MS,
      writing: formBytes,
    },
    // Billing's calls have their own deadline: that of a completion is far longer.
    { requestId, accountId, traceparent },
  );
  if (first.requestId === '') return undefined;
  return { requestId: first.requestId, answer: completionV1.KeptAnswer.decode(first.answer) };
}

function namesOf({ fallbackModels, model }: completionV1.CompletionInput): readonly string[] {
  return [model, ...fallbackModels];
}

/** Equal requests have the same bytes, the same format and the same bound of their cost. */
function digestOf(format: string, headers: IncomingHttpHeaders, bytes: Buffer): string {
  const maxCost = String(headers['x-tollgate-max-cost'] ?? '');
  return createHash('sha256').update(`${format}\n${maxCost}\n`).update(bytes).digest('hex');
}

/** Takes the announcement back when completion certainly began nothing. */
function openAnnounced(
  deps: AnnounceDependencies,
  call: CompletionCall,
  open: AnswerSource['open'],
): AnswerSource['open'] {
  return ({ onEnd, ...listener }) => {
    try {
      return open({
        ...listener,
        onEnd(end) {
          if (end.kind === 'failed' && wasNotBegun(end.error)) deps.dropAnnouncement(call);
          onEnd(end);
        },
      });
    } catch (error) {
      deps.dropAnnouncement(call);
      throw error;
    }
  };
}

function wasNotBegun(error: AppError): boolean {
  return error instanceof NotBegunError || error instanceof RequestTooLongError;
}

/** Completion goes on when the client leaves; the gateway reads on, so as to know when it is over. */
function toItsEnd({ answerId, open }: AnswerSource): AnswerSource {
  const { promise: finished, resolve } = Promise.withResolvers<void>();
  return {
    answerId,
    finished,
    open(listener) {
      let left = false;
      const running = open({
        onHead(head) {
          if (!left) listener.onHead(head);
        },
        onChunk: (events) => left || listener.onChunk(events),
        onEnd(end) {
          resolve();
          listener.onEnd(end);
        },
      });
      return {
        resume: () => running.resume(),
        cancel() {
          left = true;
          running.resume();
        },
      };
    },
  };
}
