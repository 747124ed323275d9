import { isObject, type JsonObject, type Thought } from '@tollgate/core';
import { invalidField } from '../../../http/errors';
import type {
  CanonicalMessage,
  CanonicalPart,
  CanonicalToolCall,
  Conversation,
  MessageNeeds,
} from '../canonical';
import {
  fieldsOf,
  isAbsent,
  objectsIn,
  optionalString,
  requireNoOthers,
  stringIn,
} from '../fields';
import { filePartOf, imagePartOf, joinTexts, requireFewMedia, withMedia } from '../media';
import { BETWEEN_TEXTS, CHAT_BOUNDS, requireName, requireText, textsIn } from '../shared-fields';
import { plainThoughts, requireFewThoughts, thoughtField, unpackThoughts } from '../thoughts';
import { reasoningSchema } from './schema';

const MESSAGE_FIELDS = new Set(['type', 'id', 'status', 'role', 'content']);
const CALL_FIELDS = new Set(['type', 'id', 'status', 'call_id', 'name', 'arguments']);
const OUTPUT_FIELDS = new Set(['type', 'id', 'status', 'call_id', 'output']);
const TEXT_FIELDS = new Set(['type', 'text']);
const TEXT_PARTS = { noun: 'part', type: 'input_text', known: TEXT_FIELDS } as const;
const IMAGE_FIELDS = new Set(['type', 'image_url', 'detail']);
const FILE_FIELDS = new Set(['type', 'filename', 'file_data']);
const REASONING_FIELDS = fieldsOf(reasoningSchema);
const REFUSAL_FIELDS = new Set(['type', 'refusal']);
/** Clients that take `store` for true send ids in place of what was said before. */
const NOT_KEPT =
  'names an earlier answer, and none is kept here: send its items themselves, which client ' +
  'libraries do with `store` set to false.';

/** Checks `instructions` and `input` in order; throws VALIDATION_ERROR that names the first fault. */
export function readConversation(instructions: unknown, input: unknown): Conversation {
  const messages: CanonicalMessage[] = [];
  if (!isAbsent(instructions)) {
    if (typeof instructions !== 'string') throw invalidField('instructions', 'must be a string.');
    if (instructions !== '') messages.push({ role: 'system', content: instructions });
  }
  if (typeof input === 'string') {
    return { messages: [...messages, { role: 'user', content: input }], needs: {}, cacheMarks: [] };
  }
  if (!Array.isArray(input) || input.length < 1 || input.length > CHAT_BOUNDS.messagesMax) {
    throw invalidField('input', `must be a string or 1 to ${CHAT_BOUNDS.messagesMax} items.`);
  }
  const called = new Set<string>();
  let needs: MessageNeeds = {};
  /** The thoughts whose answer has not come yet. */
  let thoughts: readonly Thought[] = [];
  for (const [index, item] of (input as readonly unknown[]).entries()) {
    const param = `input[${index}]`;
    if (!isObject(item)) throw invalidField(param, 'must be an object.');
    switch (item.type) {
      case undefined:
      case null:
      case 'message': {
        const message = readMessage(item, param, thoughts);
        thoughts = [];
        needs = withMedia(needs, message, `${param}.content`);
        messages.push(message);
        break;
      }
      case 'function_call':
        needs = { tools: param, ...needs };
        addCall(messages, readCall(item, param, called), param, thoughts);
        thoughts = [];
        break;
      case 'function_call_output':
        needs = { tools: param, ...needs };
        messages.push(readOutput(item, param, called));
        thoughts = [];
        break;
      case 'reasoning':
        thoughts = [...thoughts, ...readReasoning(item, param)];
        requireFewThoughts(thoughts, param);
        break;
      case 'item_reference':
        throw invalidField(`${param}.type`, NOT_KEPT);
      default:
        throw invalidField(
          `${param}.type`,
          'must be message, function_call, function_call_output or reasoning; nothing else is supported.',
        );
    }
  }
  requireFewMedia(messages, 'input');
  return { messages, needs, cacheMarks: [] };
}

function readMessage(
  item: JsonObject,
  param: string,
  thoughts: readonly Thought[],
): CanonicalMessage {
  requireNoOthers(item, MESSAGE_FIELDS, param);
  const { role, content } = item;
  const place = `${param}.content`;
  switch (role) {
    case 'user':
      return { role, content: askedIn(content, place) };
    case 'system':
    case 'developer':
      return { role: 'system', content: textsIn(content, place, TEXT_PARTS) };
    case 'assistant':
      return { role, content: saidIn(content, place), ...thoughtField(thoughts) };
    default:
      throw invalidField(`${param}.role`, 'must be user, assistant, system or developer.');
  }
}

/** The user's part: texts, images and files. */
function askedIn(value: unknown, param: string): CanonicalMessage['content'] {
  if (typeof value === 'string') return value;
  const parts = objectsIn(value, param, 'part').map((part, index): CanonicalPart => {
    const place = `${param}[${index}]`;
    switch (part.type) {
      case 'input_text':
        return { type: 'text', text: stringIn(part, 'text', TEXT_FIELDS, place) };
      case 'input_image':
        requireNoOthers(part, IMAGE_FIELDS, place);
        return imagePartOf(part.image_url, part.detail, `${place}.image_url`);
      case 'input_file':
        requireNoOthers(part, FILE_FIELDS, place);
        return filePartOf(part.file_data, part.filename, `${place}.file_data`);
      default:
        throw invalidField(`${place}.type`, 'must be input_text, input_image or input_file.');
    }
  });
  return joinTexts(parts, BETWEEN_TEXTS);
}

/** What was thought before the next item: as its vendor signed it, if that came from here. */
function readReasoning(item: JsonObject, param: string): readonly Thought[] {
  requireNoOthers(item, REASONING_FIELDS, param);
  const { summary, content } = item;
  const packed = optionalString(item, 'encrypted_content', `${param}.encrypted_content`);
  const texts = [
    ...reasoningTexts(summary, 'summary_text', `${param}.summary`),
    ...reasoningTexts(content, 'reasoning_text', `${param}.content`),
  ];
  return unpackThoughts(packed ?? '') ?? plainThoughts(texts.join(BETWEEN_TEXTS));
}

function reasoningTexts(value: unknown, type: string, param: string): readonly string[] {
  if (isAbsent(value)) return [];
  if (!Array.isArray(value)) throw invalidField(param, 'must be an array of texts.');
  return (value as readonly unknown[]).map((part, index) => {
    const place = `${param}[${index}]`;
    if (!isObject(part) || part.type !== type) throw invalidField(place, `must have type ${type}.`);
    return stringIn(part, 'text', TEXT_FIELDS, place);
  });
}

/** Calls that follow each other, or what the assistant said, are one message with it. */
function addCall(
  messages: CanonicalMessage[],
  call: CanonicalToolCall,
  param: string,
  thoughts: readonly Thought[],
): void {
  const last = messages.at(-1);
  const joins = last?.role === 'assistant';
  const before = joins ? (last.tool_calls ?? []) : [];
  const max = CHAT_BOUNDS.toolCallsMax;
  if (before.length >= max) throw invalidField(param, `is more than ${max} calls in a row.`);
  if (joins) messages.pop();
  const content = joins && last.content !== '' ? last.content : null;
  const thought = [...(joins ? (last.thinking_blocks ?? []) : []), ...thoughts];
  requireFewThoughts(thought, param);
  messages.push({
    role: 'assistant',
    content,
    tool_calls: [...before, call],
    ...thoughtField(thought),
  });
}

function readCall(item: JsonObject, param: string, called: Set<string>): CanonicalToolCall {
  requireNoOthers(item, CALL_FIELDS, param);
  const { arguments: text } = item;
  const id = requireText(item.call_id, `${param}.call_id`, CHAT_BOUNDS.toolCallIdLengthMax);
  const name = requireName(item, param);
  if (typeof text !== 'string') throw invalidField(`${param}.arguments`, 'must be a string.');
  called.add(id);
  return { id, type: 'function', function: { name, arguments: text } };
}

function readOutput(
  item: JsonObject,
  param: string,
  called: ReadonlySet<string>,
): CanonicalMessage {
  requireNoOthers(item, OUTPUT_FIELDS, param);
  const { call_id: id, output } = item;
  if (typeof id !== 'string' || !called.has(id)) {
    throw invalidField(`${param}.call_id`, 'must name a function_call before.');
  }
  return {
    role: 'tool',
    content: textsIn(output, `${param}.output`, TEXT_PARTS),
    tool_call_id: id,
  };
}

/** The assistant's earlier answer; its parts are pieces of one text. */
function saidIn(value: unknown, param: string): string {
  if (typeof value === 'string') return value;
  return objectsIn(value, param, 'part')
    .map((part, index) => {
      const place = `${param}[${index}]`;
      switch (part.type) {
        case 'output_text': {
          // They come with every answer of ours, empty.
          const { annotations, logprobs, ...rest } = part;
          requireNoOthers({ annotations, logprobs }, TEXT_FIELDS, place);
          return stringIn(rest, 'text', TEXT_FIELDS, place);
        }
        case 'refusal':
          return stringIn(part, 'refusal', REFUSAL_FIELDS, place);
        default:
          throw invalidField(`${place}.type`, 'must be output_text or refusal.');
      }
    })
    .join('');
}
