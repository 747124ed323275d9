import { normaliseFinishReason } from '../../domain/finish-reason';
import type { VendorCall, VendorCompletion } from '../../domain/vendor';
import type { VendorUsage } from '../../usage/count';
import type { VendorHeaders } from '../protocol';
import { unreadable } from './errors';
import { asList, asObject, asText, type JsonObject, parseObject } from './json';

const JSON_TYPE = /^application\/(?:[\w.+-]+\+)?json\b/i;
const STREAM_TYPE = /^text\/event-stream\b/i;

/** Whether status and content type promise an answer; a page of HTML with status 200 does not. */
export function checkHead(
  status: number,
  headers: VendorHeaders,
  stream: boolean,
): 'good' | 'bad_type' | 'bad' {
  if (status < 200 || status > 299) return 'bad';
  const type = headers['content-type'];
  // A vendor without a content type is judged by its body.
  if (typeof type !== 'string') return 'good';
  return (stream ? STREAM_TYPE : JSON_TYPE).test(type) ? 'good' : 'bad_type';
}

/** Reads a whole answer and writes `choices` anew, in our form. */
export function parseCompletion(body: Buffer, call: VendorCall): VendorCompletion {
  const answer = parseObject(body.toString());
  if (answer === undefined) throw unreadable('the vendor answered no JSON object');
  if (answer.error !== undefined && answer.error !== null) {
    throw unreadable('the vendor answered an error with status 200');
  }
  const choices = asList(answer.choices).map(asObject);
  const first = choices[0];
  if (first === undefined) throw unreadable('the vendor answered without choices');
  if (choices.length > call.choices) throw unreadable('the vendor answered more than was asked');
  const written = choices.map((choice, position) =>
    choiceOf(choice ?? {}, placeOf(choice?.index, position, call.choices)),
  );
  const texts = choices.map((choice) => textOf(asObject(choice?.message)));
  return {
    choices: Buffer.from(JSON.stringify(written)),
    text: texts.join(''),
    finishReason: normaliseFinishReason(asText(first.finish_reason)),
    usage: usageOf(answer.usage),
  };
}

/** Token counts as reported; what they are worth is decided elsewhere. */
export function usageOf(value: unknown): VendorUsage | undefined {
  const usage = asObject(value);
  if (usage === undefined) return undefined;
  return {
    prompt: usage.prompt_tokens,
    completion: usage.completion_tokens,
    cached: asObject(usage.prompt_tokens_details)?.cached_tokens,
  };
}

/** Everything generated in a message or a delta: content, refusal and tool calls. */
export function textOf(message: JsonObject | undefined): string {
  if (message === undefined) return '';
  const spoken = asText(message.content) + asText(message.refusal);
  if (message.tool_calls === undefined) return spoken;
  const called = asList(message.tool_calls).map((call) => {
    const target = asObject(asObject(call)?.function);
    return asText(target?.name) + asText(target?.arguments);
  });
  return spoken + called.join('');
}

/** Where a choice belongs: its own index, or where it stands when it has none. */
export function placeOf(index: unknown, position: number, choices: number): number {
  const place = index ?? position;
  const asked = typeof place === 'number' && Number.isInteger(place);
  if (asked && place >= 0 && place < choices) return place;
  throw unreadable('the vendor answered a choice that was not asked for');
}

function choiceOf(choice: JsonObject, index: number): JsonObject {
  const message = asObject(choice.message) ?? {};
  const tools = asList(message.tool_calls);
  return {
    index,
    message: {
      role: 'assistant',
      content: typeof message.content === 'string' ? message.content : tools.length > 0 ? null : '',
      ...(typeof message.refusal === 'string' ? { refusal: message.refusal } : {}),
      ...(tools.length > 0 ? { tool_calls: tools } : {}),
    },
    ...(asObject(choice.logprobs) === undefined ? {} : { logprobs: choice.logprobs }),
    finish_reason: normaliseFinishReason(asText(choice.finish_reason)),
  };
}
