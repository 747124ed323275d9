import { asList, asObject, asText, isOutOfCredit, type JsonObject } from '@tollgate/core';
import type { AnswerPiece, VendorCall } from '../../domain/vendor';
import { choicePlaceOf } from '../protocol/answer-form';
import { createEventReader, readEvent } from '../protocol/event-reader';
import { refused, streamEnded, unreadable } from '../protocol/failures';
import { createPieceWriter } from '../protocol/pieces';
import type { ReadBounds, VendorStreamReader } from '../protocol/vendor-protocol';
import { withArgumentText } from './call-arguments';
import { type CallNumbering, createCallNumbering } from './call-numbering';
import { messageContentOf, messageTextOf, messageThoughtsOf, vendorUsageOf } from './response';
import { type TextTemplate, textIn, textTemplateOf } from './text-template';

const DONE = '[DONE]';
/** Vendors whose events differ in more than their text are read without a template. */
const TEMPLATES_MAX = 4;

/** Turns a vendor's stream into our pieces; what follows `[DONE]` is not read. */
export function createStreamReader(bounds: ReadBounds, call: VendorCall): VendorStreamReader {
  const writer = createPieceWriter(bounds, call);
  const numberings: CallNumbering[] = [];
  /** Thoughts have one, and then the text; the last one that was found is tried first. */
  let templates: readonly TextTemplate[] = [];

  /** The usual event, without parsing it: four fifths of the time that a stream takes. */
  const readByTemplate = (data: string, pieces: AnswerPiece[]): boolean => {
    for (const template of templates) {
      const { index, member } = template;
      const text = writer.isFinished(index) ? undefined : textIn(template, data);
      if (text === undefined) continue;
      writer.delta(index, `"delta":{"${member}":"${text}"}`, text, pieces);
      return true;
    }
    return false;
  };

  const readChoice = (choice: JsonObject, pieces: AnswerPiece[]) => {
    const index = choicePlaceOf(choice.index, 0, call.choices);
    if (writer.isFinished(index)) return;
    writer.begin(index, pieces);
    const delta = asObject(choice.delta);
    const content = deltaJson(delta, choice.logprobs, (calls) => {
      numberings[index] ??= createCallNumbering();
      return numberings[index](calls);
    });
    if (content !== undefined) writer.delta(index, content, messageTextOf(delta), pieces);
    if (choice.finish_reason === undefined || choice.finish_reason === null) return;
    writer.finish(index, asText(choice.finish_reason), pieces);
  };

  return createEventReader(bounds, writer, (data, pieces) => {
    if (data === DONE) return true;
    if (readByTemplate(data, pieces)) return false;
    const event = readEvent(data);
    if (event.error !== undefined && event.error !== null) {
      const error = asObject(event.error);
      const internalMessage = 'the vendor streamed an error';
      const begun = writer.progress !== 'none';
      throw streamEnded({ status: undefined, error, internalMessage }, begun, (said) =>
        isOutOfCredit(undefined, error)
          ? refused('failure', said, bounds)
          : unreadable(internalMessage),
      );
    }
    for (const choice of asList(event.choices)) readChoice(asObject(choice) ?? {}, pieces);
    const usage = vendorUsageOf(event.usage);
    if (usage !== undefined) pieces.push({ kind: 'usage', usage });
    if (templates.length >= TEMPLATES_MAX) return false;
    const next = textTemplateOf(data, event);
    if (next !== undefined) templates = [next, ...templates];
    return false;
  });
}

/** The members of a choice for what the delta says, or undefined when it says nothing. */
function deltaJson(
  delta: JsonObject | undefined,
  logprobs: unknown,
  numbered: CallNumbering,
): string | undefined {
  if (delta === undefined) return undefined;
  const { refusal, tool_calls: calls } = delta;
  const parts: string[] = [];
  const thoughts = messageThoughtsOf(delta);
  if (thoughts !== '') parts.push(`"reasoning_content":${JSON.stringify(thoughts)}`);
  const content = messageContentOf(delta);
  if (content !== '') parts.push(`"content":${JSON.stringify(content)}`);
  if (typeof refusal === 'string' && refusal !== '') {
    parts.push(`"refusal":${JSON.stringify(refusal)}`);
  }
  if (Array.isArray(calls) && calls.length > 0) {
    parts.push(`"tool_calls":${JSON.stringify(numbered(calls.map(withArgumentText)))}`);
  }
  if (parts.length === 0) return undefined;
  const scores = asObject(logprobs) === undefined ? '' : `,"logprobs":${JSON.stringify(logprobs)}`;
  return `"delta":{${parts.join(',')}}${scores}`;
}
