import { AppError, isRoutingName, type JsonObject, splitModelName } from '@tollgate/core';
import type { completionV1 } from '@tollgate/protos';
import { fromFailure } from '@tollgate/rpc';
import {
  type CompletionEnd,
  type CompletionHandle,
  type CompletionListener,
  EMPTY_HEAD,
} from '../../clients/completion/client';
import { JSON_TYPE } from '../../http/content-types';
import { SSE_TYPE } from '../../http/sse';
import { formats } from '../formats/all';

/** An answer that was kept, and whose it was. */
export interface ReplayedAnswer {
  readonly requestId: string;
  readonly answer: completionV1.KeptAnswer;
}

/** The form in which a kept answer is given again; billing keeps it without reading it. */
export interface AnswerForm {
  readonly format: string;
  readonly echo: JsonObject | undefined;
  readonly includeUsage: boolean;
  /** The models that were asked for; absent in answers that were kept before they were noted. */
  readonly names?: readonly string[];
}

/** Models that may be used, by name; an empty list means every one. */
type ModelRights = Pick<completionV1.Caller, 'accountModels' | 'models'>;

/**
 * Refuses an answer of a model that its key or its account may not use any more. Who may use a
 * routing name may use what it led to.
 */
export function requireModel(
  { answer }: completionV1.KeptAnswer,
  names: readonly string[],
  { accountModels, models }: ModelRights = { accountModels: [], models: [] },
): void {
  const model = answer?.$case === 'whole' ? answer.value.model : answer?.value.head?.model;
  const routingNames = names.map((asked) => splitModelName(asked).name).filter(isRoutingName);
  const allows = (list: readonly string[]) =>
    list.length === 0 ||
    [model, ...routingNames].some((name) => name === undefined || list.includes(name));
  if (allows(models) && allows(accountModels)) return;
  throw new AppError('FORBIDDEN', {
    publicMessage: 'This API key may not use the model of this answer any more.',
    param: 'model',
  });
}

const NOTHING_RUNS: CompletionHandle = { resume() {}, cancel() {} };

/** Tells a listener what completion told when the answer was made. */
export function replay(
  { answer: { answer } }: ReplayedAnswer,
  listener: CompletionListener,
): CompletionHandle {
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
  if (answer?.$case === 'whole') return { kind: 'whole', answer: answer.value };
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
  form: Buffer,
  rights: ModelRights,
): Promise<{ readonly text: string; readonly contentType: string }> {
  const { requestId } = kept;
  const {
    format: name,
    echo,
    includeUsage,
    names = [],
  } = JSON.parse(form.toString()) as AnswerForm;
  requireModel(kept.answer, names, rights);
  const format = Object.values(formats).find((candidate) => candidate.name === name);
  if (format === undefined) throw new Error(`an answer was kept in the unknown format ${name}`);
  const { answer } = kept.answer;
  if (answer?.$case === 'whole') {
    const body = await format.answer(requestId, answer.value, echo);
    return { text: body.toString(), contentType: JSON_TYPE };
  }
  const head = answer?.value.head ?? EMPTY_HEAD;
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
