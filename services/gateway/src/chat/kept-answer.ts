import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import {
  AppError,
  IDEMPOTENCY_KEY,
  isRoutingName,
  type JsonObject,
  toAppError,
} from '@tollgate/core';
import { completionV1 } from '@tollgate/protos';
import { fromFailure } from '@tollgate/rpc';
import { z } from 'zod';
import {
  type CompletionCall,
  type CompletionClient,
  type CompletionEnd,
  type CompletionListener,
  NotBegunError,
  type RunningCompletion,
} from '../clients/completion/client';
import type { ControlPlane } from '../clients/control-plane';
import { refuse } from '../http/errors';
import { type HttpExchange, JSON_TYPE } from '../http/exchange';
import { IDEMPOTENCY_KEY_HEADER, readIdempotencyKey } from '../http/idempotency-key';
import { SSE_TYPE } from '../http/sse';
import type { PlanTerms } from '../limits/plan-table';
import type { DropAnnouncement } from './dropped-announcements';
import type { ChatFormat } from './format';
import { formats } from './formats/all';
import type { ChatRequest } from './request';

const DISCONNECT_HEADER = 'X-Tollgate-On-Disconnect';

/** The headers of a completion that concern its kept answer. */
export interface Keeping {
  /** By which the request is known again; empty when it is not. */
  readonly key: string;
  /** The answer is made to its end though the client leaves. */
  readonly finish: boolean;
}

/** Undefined for a request of which nothing is kept. Throws VALIDATION_ERROR. */
export function readKeeping(headers: IncomingHttpHeaders): Keeping | undefined {
  const key = readIdempotencyKey(headers);
  const leaving = headers['x-tollgate-on-disconnect'];
  if (key === undefined && leaving === undefined) return undefined;
  if (leaving !== undefined && leaving !== 'stop' && leaving !== 'finish') {
    throw refuse(DISCONNECT_HEADER, 'must be stop or finish.');
  }
  // Whoever repeats a request wants the answer of the first one: without a word it is finished.
  if (key === undefined && leaving === 'stop') return undefined;
  return { key: key ?? '', finish: leaving !== 'stop' };
}

/** For the API's document. */
export const keepingHeaders = z.object({
  [IDEMPOTENCY_KEY_HEADER]: z
    .string()
    .regex(IDEMPOTENCY_KEY)
    .optional()
    .meta({
      description:
        'Makes the request safe to repeat for 24 hours: the same bytes with the same API key are ' +
        'answered as the first time, a stream as a stream, and charged once. Another body is ' +
        'refused with 422; while the first request runs, and when its answer was lost, 409. What ' +
        'an answer of /v1/responses repeats of its request may have 256 KiB; more is refused with 400.',
    }),
  [DISCONNECT_HEADER]: z
    .enum(['stop', 'finish'])
    .optional()
    .meta({
      description:
        'What becomes of the answer when the client leaves: it ends and what was delivered is ' +
        'charged, or it is made to its end and kept for 24 hours at ' +
        'GET /v1/requests/{request_id}/answer. stop unless there is an Idempotency-Key.',
    }),
});

/** An answer that was kept, and whose it was. */
export interface ReplayedAnswer {
  readonly requestId: string;
  readonly answer: completionV1.KeptAnswer;
}

/** The format in which a kept answer is written again; billing keeps it without reading it. */
interface KeptFormat {
  readonly format: string;
  readonly echo: JsonObject | undefined;
  readonly includeUsage: boolean;
  /** Of the models that were asked for; absent in answers that were kept before it was noted. */
  readonly names?: readonly string[];
}

const EXPLAIN_DEADLINE_MS = 5_000;

/** Longer than the deadline of the request: afterwards nobody makes its answer any more. */
const RUNNING_MARGIN_MS = 30_000;

/** It is kept for a day beside the answer: a catalogue of tools fits, a book does not. */
const WRITING_BYTES_MAX = 256 * 1024;

/** How an answer comes, and whose id it bears. */
export interface AnswerOpening {
  readonly answerId: string;
  readonly open: (listener: CompletionListener) => RunningCompletion;
  /** Of an answer that is made to its end though the client leaves: resolves at that end. */
  readonly finished?: Promise<void>;
}

/** A completion whose answer is kept, before anything of it is begun. */
export interface AnnouncedCompletion {
  readonly keeping: Keeping;
  readonly exchange: HttpExchange;
  readonly plan: PlanTerms;
  readonly format: ChatFormat;
  readonly request: ChatRequest;
  /** The body as it came. */
  readonly bytes: Buffer;
  readonly call: CompletionCall;
  /** Is told that its answer is kept. */
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
 * IDEMPOTENCY_MISMATCH for another body.
 */
export async function openKept(
  dependencies: AnnounceDependencies,
  { open }: AnswerOpening,
  announced: AnnouncedCompletion,
): Promise<AnswerOpening> {
  const { call, exchange, input, keeping } = announced;
  const first = await announce(dependencies, announced).catch((error: unknown) => {
    // Without an answer of billing it may be announced all the same, and its key would be held.
    if (toAppError(error).definition.httpStatus >= 500) dependencies.dropAnnouncement(call);
    throw error;
  });
  if (first !== undefined) {
    // Rights that were taken away since take the answers of their time with them.
    await dependencies.client.explain(
      { input, nameChannels: false },
      { ...call, deadlineMs: EXPLAIN_DEADLINE_MS },
    );
    requireModel(first.answer, namesOf(input), input.caller);
    exchange.headers['Idempotency-Replayed'] = 'true';
    return { answerId: first.requestId, open: (listener) => replay(first, listener) };
  }
  if (exchange.response.destroyed) {
    dependencies.dropAnnouncement(call);
    throw new AppError('SERVICE_UNAVAILABLE', { internalMessage: 'the client left' });
  }
  input.keeping = { finish: keeping.finish };
  const opening = { answerId: call.requestId, open: openAnnounced(dependencies, call, open) };
  return keeping.finish ? toItsEnd(opening) : opening;
}

async function announce(
  { billing }: AnnounceDependencies,
  { bytes, call, exchange, format, keeping, plan, request, input }: AnnouncedCompletion,
): Promise<ReplayedAnswer | undefined> {
  if (!plan.keepsAnswers) {
    throw new AppError('FORBIDDEN', {
      publicMessage:
        'The plan of this account keeps no answers, so that ' +
        `${IDEMPOTENCY_KEY_HEADER} and ${DISCONNECT_HEADER}: finish cannot be used.`,
    });
  }
  const { accountId, requestId } = call;
  const { echo, includeUsage } = request;
  const writing: KeptFormat = { format: format.name, echo, includeUsage, names: namesOf(input) };
  const writingBytes = Buffer.from(JSON.stringify(writing));
  if (writingBytes.length > WRITING_BYTES_MAX) {
    throw refuse(
      keeping.key === '' ? DISCONNECT_HEADER : IDEMPOTENCY_KEY_HEADER,
      'cannot be used with a request whose answer repeats so much of it: shorten instructions, ' +
        `tools, metadata and text.format to ${WRITING_BYTES_MAX} bytes in all.`,
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
      writing: writingBytes,
    },
    call,
  );
  if (first.requestId === '') return undefined;
  return { requestId: first.requestId, answer: completionV1.KeptAnswer.decode(first.answer) };
}

function namesOf({ fallbackModels, model }: completionV1.CompletionInput): readonly string[] {
  return [model, ...fallbackModels];
}

/** Models that may be used, by name; an empty list means every one. */
type ModelRights = Pick<completionV1.Caller, 'accountModels' | 'models'>;

/**
 * Refuses an answer of a model that its key or its account may not use any more. Who may use a
 * routing name may use what it led to.
 */
function requireModel(
  { answer }: completionV1.KeptAnswer,
  names: readonly string[],
  { accountModels, models }: ModelRights = { accountModels: [], models: [] },
): void {
  const model = answer?.$case === 'whole' ? answer.value.model : answer?.value.head?.model;
  const asked = names.map((name) => name.slice(name.indexOf(':') + 1)).filter(isRoutingName);
  const allows = (list: readonly string[]) =>
    list.length === 0 ||
    [model, ...asked].some((name) => name === undefined || list.includes(name));
  if (allows(models) && allows(accountModels)) return;
  throw new AppError('FORBIDDEN', {
    publicMessage: 'This API key may not use the model of this answer any more.',
    param: 'model',
  });
}

/** Equal requests have the same bytes, the same format and the same bound of their cost. */
function digestOf(format: string, headers: IncomingHttpHeaders, bytes: Buffer): string {
  const costMax = String(headers['x-tollgate-max-cost'] ?? '');
  return createHash('sha256').update(`${format}\n${costMax}\n`).update(bytes).digest('hex');
}

/** Takes the announcement back when completion certainly began nothing. */
function openAnnounced(
  dependencies: AnnounceDependencies,
  call: CompletionCall,
  open: AnswerOpening['open'],
): AnswerOpening['open'] {
  return ({ onEnd, ...listener }) => {
    try {
      return open({
        ...listener,
        onEnd(end) {
          if (end.kind === 'failed' && end.error instanceof NotBegunError)
            dependencies.dropAnnouncement(call);
          onEnd(end);
        },
      });
    } catch (error) {
      dependencies.dropAnnouncement(call);
      throw error;
    }
  };
}

/** Completion goes on when the client leaves; the gateway reads on, so as to know when it is over. */
function toItsEnd({ answerId, open }: AnswerOpening): AnswerOpening {
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

const NOTHING_RUNS: RunningCompletion = { resume() {}, cancel() {} };

/** Tells a listener what completion told when the answer was made. */
function replay(
  { answer: { answer } }: ReplayedAnswer,
  listener: CompletionListener,
): RunningCompletion {
  setImmediate(() => {
    if (answer?.$case === 'streamed') {
      const { head, choices } = answer.value;
      if (head !== undefined) listener.onHead(head);
      if (choices.length > 0) listener.onChunk(choices);
    }
    listener.onEnd(endOf(answer));
  });
  return NOTHING_RUNS;
}

function endOf(answer: completionV1.KeptAnswer['answer']): CompletionEnd {
  if (answer?.$case === 'whole') return { kind: 'answered', answer: answer.value };
  const end = answer?.value.end;
  if (end?.failure !== undefined) return { kind: 'failed', error: fromFailure(end.failure) };
  if (end?.usage !== undefined) return { kind: 'streamed', usage: end.usage, amount: end.amount };
  const internalMessage = 'an answer was kept without its end';
  return { kind: 'failed', error: new AppError('INTERNAL_ERROR', { internalMessage }) };
}

/**
 * The whole text of a kept answer, in the format that it was asked in. Throws FORBIDDEN for one of a
 * model that may not be used any more.
 */
export async function writeKept(
  kept: ReplayedAnswer,
  writing: Buffer,
  rights: ModelRights,
): Promise<{ readonly text: string; readonly contentType: string }> {
  const { requestId } = kept;
  const {
    format: name,
    echo,
    includeUsage,
    names = [],
  } = JSON.parse(writing.toString()) as KeptFormat;
  requireModel(kept.answer, names, rights);
  const format = Object.values(formats).find((candidate) => candidate.name === name);
  if (format === undefined) throw new Error(`an answer was kept in the unknown format ${name}`);
  const { answer } = kept.answer;
  if (answer?.$case === 'whole') {
    const body = await format.answer(requestId, answer.value, echo);
    return { text: body.toString(), contentType: JSON_TYPE };
  }
  const head = answer?.value.head ?? { model: '', created: 0n, attempts: 0, channelId: '' };
  const frames = format.frames(requestId, head, echo);
  // In this order: the end repeats what came before.
  const chunks = frames.chunk(answer?.value.choices ?? []);
  const end = endOf(answer);
  const last =
    end.kind === 'streamed'
      ? frames.end(includeUsage ? end.usage : undefined)
      : frames.fail(end.kind === 'failed' ? end.error : new AppError('INTERNAL_ERROR'));
  return { text: Buffer.concat([chunks, last]).toString(), contentType: SSE_TYPE };
}
