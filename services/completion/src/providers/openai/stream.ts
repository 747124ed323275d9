import { normaliseFinishReason } from '../../domain/finish-reason';
import { completionTokensMaxOf, type VendorCall, type VendorFrame } from '../../domain/vendor';
import type { ReadLimits, VendorStreamReader } from '../protocol';
import { createSseReader, LineTooLongError } from '../sse-lines';
import { unreadable } from './errors';
import { asList, asObject, asText, type JsonObject, parseObject } from './json';
import { placeOf, textOf, usageOf } from './response';
import { type TextTemplate, templateOf, textIn } from './text-template';

const DONE = '[DONE]';
/** Vendors whose events differ in more than their text are read without a template. */
const TEMPLATE_ATTEMPTS_MAX = 3;
/** No vocabulary has longer tokens, runs of blanks included. */
const CHARACTERS_PER_TOKEN_MAX = 128;
/** What a vendor may stream beyond its tokens: some do not count very exactly. */
const CHARACTERS_BEYOND_MAX = 16 * 1024;

/**
 * Turns a vendor's stream into our frames. Each choice begins with one role frame and ends with one
 * finish frame, whatever the vendor makes of it; what follows `[DONE]` is not read.
 */
export function createStreamReader(limits: ReadLimits, call: VendorCall): VendorStreamReader {
  const sse = createSseReader(limits.lineBytesMax);
  const begun = new Set<number>();
  const finished = new Set<number>();
  // All text is kept until it is counted: a vendor that ignores max_tokens must not go on for ever.
  const charactersMax =
    CHARACTERS_BEYOND_MAX + CHARACTERS_PER_TOKEN_MAX * completionTokensMaxOf(call);
  let characters = 0;
  let done = false;
  let template: TextTemplate | undefined;
  let templateAttempts = 0;

  const pushText = (index: number, members: string, text: string, frames: VendorFrame[]) => {
    const choices = frameOf(index, members);
    // Numbers and broken characters may be longer when they are written anew.
    if (choices.length > limits.lineBytesMax) throw unreadable('a vendor event is too long');
    characters += text.length;
    if (characters > charactersMax) throw unreadable('the vendor streamed more than was asked');
    frames.push({ kind: 'delta', choices, text, choice: index });
  };

  /** The usual event, without parsing it: four fifths of the time that a stream takes. */
  const readByTemplate = (data: string, frames: VendorFrame[]): boolean => {
    if (template === undefined || finished.has(template.index)) return false;
    const text = textIn(template, data);
    if (text === undefined) return false;
    pushText(template.index, `"delta":{"content":"${text}"}`, text, frames);
    return true;
  };

  const readChoice = (choice: JsonObject, frames: VendorFrame[]) => {
    const index = placeOf(choice.index, 0, call.choices);
    if (finished.has(index)) return;
    if (!begun.has(index)) {
      begun.add(index);
      frames.push({ kind: 'delta', choices: frameOf(index, ROLE_DELTA), text: '' });
    }
    const delta = asObject(choice.delta);
    const content = deltaJson(delta, choice.logprobs);
    if (content !== undefined) pushText(index, content, textOf(delta), frames);
    if (choice.finish_reason === undefined || choice.finish_reason === null) return;
    finished.add(index);
    const reason = normaliseFinishReason(asText(choice.finish_reason));
    frames.push({ kind: 'finish', choices: finishFrame(index, reason), reason });
  };

  const readEvent = (data: string, frames: VendorFrame[]) => {
    if (data === DONE) {
      if (begun.size === 0) throw unreadable('the vendor’s stream had no answer in it');
      done = true;
      return;
    }
    if (readByTemplate(data, frames)) return;
    const event = parseObject(data);
    if (event === undefined)
      throw unreadable('the vendor streamed an event that is no JSON object');
    if (event.error !== undefined && event.error !== null) {
      throw unreadable('the vendor streamed an error');
    }
    for (const choice of asList(event.choices)) readChoice(asObject(choice) ?? {}, frames);
    const usage = usageOf(event.usage);
    if (usage !== undefined) frames.push({ kind: 'usage', usage });
    if (templateAttempts >= TEMPLATE_ATTEMPTS_MAX) return;
    const next = templateOf(data, event);
    if (next === undefined) return;
    templateAttempts += 1;
    template = next;
  };

  const read = (takeEvents: () => readonly string[], frames: VendorFrame[]) => {
    if (done) return;
    try {
      for (const data of takeEvents()) if (!done) readEvent(data, frames);
    } catch (error) {
      if (error instanceof LineTooLongError) throw unreadable(error.message);
      throw error;
    }
  };

  return {
    get heldBytes() {
      return sse.heldBytes;
    },
    get progress() {
      if (done) return 'over';
      if (finished.size === call.choices) return 'finished';
      return begun.size > 0 ? 'begun' : 'none';
    },
    push: (chunk, frames) => read(() => sse.push(chunk), frames),
    end: (frames) => read(() => sse.flush(), frames),
  };
}

/** The `choices` of a frame that only says why an answer ended. */
function finishFrame(index: number, reason: string): Buffer {
  return Buffer.from(`[{"index":${index},"delta":{},"finish_reason":"${reason}"}]`);
}

const ROLE_DELTA = '"delta":{"role":"assistant","content":""}';

function frameOf(index: number, members: string): Buffer {
  return Buffer.from(`[{"index":${index},${members},"finish_reason":null}]`);
}

/** The members of a frame for what the delta says, or undefined when it says nothing. */
function deltaJson(delta: JsonObject | undefined, logprobs: unknown): string | undefined {
  if (delta === undefined) return undefined;
  const { content, refusal, tool_calls: calls } = delta;
  const parts: string[] = [];
  if (typeof content === 'string' && content !== '') {
    parts.push(`"content":${JSON.stringify(content)}`);
  }
  if (typeof refusal === 'string' && refusal !== '') {
    parts.push(`"refusal":${JSON.stringify(refusal)}`);
  }
  if (Array.isArray(calls) && calls.length > 0) parts.push(`"tool_calls":${JSON.stringify(calls)}`);
  if (parts.length === 0) return undefined;
  const scores = asObject(logprobs) === undefined ? '' : `,"logprobs":${JSON.stringify(logprobs)}`;
  return `"delta":{${parts.join(',')}}${scores}`;
}
