import { isObject, type JsonObject, type Thought } from '@tollgate/core';
import { invalidField } from '../../../http/errors';
import { type CacheMark, isMarked, markOfMessage, marksOfContent } from '../cache-marks';
import type {
  CanonicalMessage,
  CanonicalPart,
  CanonicalToolCall,
  Conversation,
  MessageNeeds,
} from '../canonical';
import { isAbsent, objectsIn, requireNoOthers, stringIn } from '../fields';
import { filePartOf, imagePartOf, joinTexts, requireFewMedia, withMedia } from '../media';
import { BETWEEN_TEXTS, CHAT_BOUNDS, requireName, requireText, textsIn } from '../shared-fields';
import { readThought, thoughtField } from '../thoughts';

/** Fields of a block. */
const TEXT_FIELDS = new Set(['type', 'text', 'cache_control']);
const TEXT_BLOCKS = { noun: 'block', type: 'text', known: TEXT_FIELDS } as const;
const CALL_FIELDS = new Set(['type', 'id', 'name', 'input', 'cache_control']);
const RESULT_FIELDS = new Set(['type', 'tool_use_id', 'content', 'is_error', 'cache_control']);
const MEDIA_FIELDS = new Set(['type', 'source', 'cache_control']);
const DOCUMENT_FIELDS = new Set(['type', 'source', 'title', 'cache_control']);
const MESSAGE_FIELDS = new Set(['role', 'content']);

/** How a tool's failure is told: the canonical form has no field for it. */
const ERROR_PREFIX = 'Error: ';

/** Checks `system` and `messages` in order; throws VALIDATION_ERROR that names the first fault. */
export function readConversation(system: unknown, value: unknown): Conversation {
  const messages: CanonicalMessage[] = [];
  const cacheMarks: CacheMark[] = [];
  if (!isAbsent(system)) {
    const content = textsIn(system, 'system', TEXT_BLOCKS);
    if (content !== '') messages.push({ role: 'system', content });
    cacheMarks.push(...marksOfContent(system, 0, content, BETWEEN_TEXTS));
  }
  if (!Array.isArray(value) || value.length < 1 || value.length > CHAT_BOUNDS.messagesMax) {
    throw invalidField('messages', `must be an array of 1 to ${CHAT_BOUNDS.messagesMax} messages.`);
  }
  const called = new Set<string>();
  let needs: MessageNeeds = {};
  for (const [index, message] of (value as readonly unknown[]).entries()) {
    const param = `messages[${index}]`;
    if (!isObject(message)) throw invalidField(param, 'must be an object with role and content.');
    const made = readMessage(message, param, called);
    if (made.some(({ role, tool_calls: calls }) => role === 'tool' || calls !== undefined)) {
      needs = { tools: `${param}.content`, ...needs };
    }
    for (const each of made) needs = withMedia(needs, each, `${param}.content`);
    cacheMarks.push(...marksOf(message, made, messages.length));
    messages.push(...made);
  }
  requireFewMedia(messages, 'messages');
  return { messages, needs, cacheMarks };
}

function readMessage(
  message: JsonObject,
  param: string,
  called: Set<string>,
): readonly CanonicalMessage[] {
  const { role, content } = message;
  if (role !== 'user' && role !== 'assistant') {
    throw invalidField(`${param}.role`, 'must be user or assistant.');
  }
  requireNoOthers(message, MESSAGE_FIELDS, param);
  if (typeof content === 'string') return [{ role, content }];
  const place = `${param}.content`;
  const blocks = objectsIn(content, place, 'block');
  return role === 'user' ? readUser(blocks, place, called) : [readAssistant(blocks, place, called)];
}

/** The marks of a message of which `made` was made, the first of them at an index. */
function marksOf(
  { content, role }: JsonObject,
  made: readonly CanonicalMessage[],
  first: number,
): readonly CacheMark[] {
  if (!Array.isArray(content)) return [];
  const blocks = content as readonly JsonObject[];
  if (role === 'assistant') return blocks.some(isMarked) ? [markOfMessage(first)] : [];
  const results = blocks.filter(({ type }) => type === 'tool_result');
  const others = blocks.filter(({ type }) => type !== 'tool_result');
  const last = made.at(-1)?.content ?? null;
  return [
    ...results.flatMap((block, index) => (isMarked(block) ? [markOfMessage(first + index)] : [])),
    ...marksOfContent(others, first + results.length, last, BETWEEN_TEXTS),
  ];
}

/** Results of tools are messages of their own, and come before what the user says. */
function readUser(
  blocks: readonly JsonObject[],
  place: string,
  called: ReadonlySet<string>,
): readonly CanonicalMessage[] {
  const results: CanonicalMessage[] = [];
  const parts: CanonicalPart[] = [];
  for (const [index, block] of blocks.entries()) {
    const param = `${place}[${index}]`;
    switch (block.type) {
      case 'text':
        parts.push({ type: 'text', text: stringIn(block, 'text', TEXT_FIELDS, param) });
        break;
      case 'image':
        parts.push(readImage(block, param));
        break;
      case 'document':
        parts.push(readDocument(block, param));
        break;
      case 'tool_result':
        if (parts.length > 0) throw invalidField(param, 'tool_result blocks come before text.');
        results.push(readResult(block, param, called));
        break;
      default:
        throw invalidField(`${param}.type`, 'must be text, image, document or tool_result.');
    }
  }
  if (parts.length === 0) return results;
  return [...results, { role: 'user', content: joinTexts(parts, BETWEEN_TEXTS) }];
}

function readImage(block: JsonObject, param: string): CanonicalPart {
  requireNoOthers(block, MEDIA_FIELDS, param);
  const source = sourceIn(block, param);
  const place = `${param}.source`;
  switch (source.type) {
    case 'base64':
      return imagePartOf(dataUrlOf(source), undefined, place);
    case 'url':
      if (String(source.url).startsWith('data:'))
        throw invalidField(`${place}.url`, 'must be an address.');
      return imagePartOf(source.url, undefined, `${place}.url`);
    default:
      throw invalidField(`${place}.type`, 'must be base64 or url.');
  }
}

function readDocument(block: JsonObject, param: string): CanonicalPart {
  requireNoOthers(block, DOCUMENT_FIELDS, param);
  const source = sourceIn(block, param);
  if (source.type !== 'base64') throw invalidField(`${param}.source.type`, 'must be base64.');
  return filePartOf(dataUrlOf(source), block.title, `${param}.source`);
}

function sourceIn({ source }: JsonObject, param: string): JsonObject {
  if (isObject(source)) return source;
  throw invalidField(`${param}.source`, 'must be an object.');
}

function dataUrlOf({ media_type: kind, data }: JsonObject): string {
  return `data:${String(kind)};base64,${String(data)}`;
}

function readResult(
  block: JsonObject,
  param: string,
  called: ReadonlySet<string>,
): CanonicalMessage {
  requireNoOthers(block, RESULT_FIELDS, param);
  const { tool_use_id: id, content, is_error: isError } = block;
  if (typeof id !== 'string' || !called.has(id)) {
    throw invalidField(`${param}.tool_use_id`, 'must name a tool_use of an earlier message.');
  }
  if (!isAbsent(isError) && typeof isError !== 'boolean') {
    throw invalidField(`${param}.is_error`, 'must be true or false.');
  }
  const absent = isAbsent(content);
  const empty = absent || (Array.isArray(content) && content.length === 0);
  const text = empty ? '' : textsIn(content, `${param}.content`, TEXT_BLOCKS);
  return {
    role: 'tool',
    content: isError === true ? `${ERROR_PREFIX}${text}` : text,
    tool_call_id: id,
  };
}

function readAssistant(
  blocks: readonly JsonObject[],
  place: string,
  called: Set<string>,
): CanonicalMessage {
  const calls: CanonicalToolCall[] = [];
  const texts: string[] = [];
  const thoughts: Thought[] = [];
  for (const [index, block] of blocks.entries()) {
    const param = `${place}[${index}]`;
    switch (block.type) {
      case 'thinking':
      case 'redacted_thinking':
        thoughts.push(readThought(block, param));
        break;
      case 'text':
        texts.push(stringIn(block, 'text', TEXT_FIELDS, param));
        break;
      case 'tool_use':
        calls.push(readCall(block, param, called));
        break;
      default:
        throw invalidField(
          `${param}.type`,
          'must be text, tool_use, thinking or redacted_thinking; nothing else is supported.',
        );
    }
  }
  if (calls.length > CHAT_BOUNDS.toolCallsMax) {
    throw invalidField(place, `must have at most ${CHAT_BOUNDS.toolCallsMax} tool_use blocks.`);
  }
  // The blocks of one answer are pieces of one text.
  const content = texts.join('');
  const thought = thoughtField(thoughts);
  if (calls.length === 0) return { role: 'assistant', content, ...thought };
  const said = content === '' ? null : content;
  return { role: 'assistant', content: said, tool_calls: calls, ...thought };
}

function readCall(block: JsonObject, param: string, called: Set<string>): CanonicalToolCall {
  requireNoOthers(block, CALL_FIELDS, param);
  const { input } = block;
  const id = requireText(block.id, `${param}.id`, CHAT_BOUNDS.toolCallIdLengthMax);
  const name = requireName(block, param);
  if (!isObject(input)) throw invalidField(`${param}.input`, 'must be an object.');
  called.add(id);
  return { id, type: 'function', function: { name, arguments: JSON.stringify(input) } };
}
