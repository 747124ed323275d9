import { isObject, type JsonObject } from '@tollgate/core';
import { invalidField } from '../../../http/errors';
import { type CacheMark, marksOfContent } from '../cache-marks';
import type {
  CanonicalMessage,
  CanonicalPart,
  CanonicalToolCall,
  Conversation,
  MessageNeeds,
} from '../canonical';
import { isAbsent } from '../fields';
import { filePartOf, imagePartOf, joinTexts, requireFewMedia, withMedia } from '../media';
import { CHAT_BOUNDS, requireText } from '../shared-fields';
import { checkThoughts, thoughtField } from '../thoughts';

const ROLES = 'system, user, assistant, developer or tool';

/** Checks `messages` in order; throws VALIDATION_ERROR that names the first field at fault. */
export function readConversation(value: unknown): Conversation {
  if (!Array.isArray(value) || value.length < 1 || value.length > CHAT_BOUNDS.messagesMax) {
    throw invalidField('messages', `must be an array of 1 to ${CHAT_BOUNDS.messagesMax} messages.`);
  }
  const messages: CanonicalMessage[] = [];
  const cacheMarks: CacheMark[] = [];
  let needs: MessageNeeds = {};
  for (let index = 0; index < value.length; index += 1) {
    const param = `messages[${index}]`;
    const source: unknown = value[index];
    if (!isObject(source)) throw invalidField(param, 'must be an object with role and content.');
    const message = checkMessage(source, param);
    messages.push(message);
    cacheMarks.push(...marksOfContent(source.content, index, message.content, ''));
    needs = withMedia(needs, message, `${param}.content`);
    const tools = message.role === 'tool' ? 'role' : 'tool_calls';
    if (tools === 'role' || message.tool_calls !== undefined) {
      needs = { tools: `${param}.${tools}`, ...needs };
    }
  }
  requireFewMedia(messages, 'messages');
  return { messages, needs, cacheMarks };
}

function checkMessage(source: JsonObject, param: string): CanonicalMessage {
  switch (source.role) {
    case 'user':
      return { role: 'user', content: checkUserContent(source.content, param) };
    case 'system':
    case 'developer':
      return { role: 'system', content: checkContent(source.content, param) };
    case 'assistant':
      return checkAssistant(source, param);
    case 'tool': {
      const content = checkContent(source.content, param);
      const { toolCallIdLengthMax } = CHAT_BOUNDS;
      const id = requireText(source.tool_call_id, `${param}.tool_call_id`, toolCallIdLengthMax);
      return { role: 'tool', content, tool_call_id: id };
    }
    default:
      throw invalidField(`${param}.role`, `must be one of ${ROLES}.`);
  }
}

function checkAssistant(source: JsonObject, param: string): CanonicalMessage {
  const absent = isAbsent(source.content);
  const content = absent ? null : checkContent(source.content, param);
  const calls = checkToolCalls(source.tool_calls, `${param}.tool_calls`);
  const thoughts = thoughtField(checkThoughts(source, param));
  if (calls.length > 0) return { role: 'assistant', content, tool_calls: calls, ...thoughts };
  // Only an assistant that called tools may have said nothing.
  return { role: 'assistant', content: content ?? checkContent(undefined, param), ...thoughts };
}

/** Text as it is, or parts: joined when all are texts. */
function checkUserContent(content: unknown, param: string): CanonicalMessage['content'] {
  if (!Array.isArray(content) || content.length === 0) return checkContent(content, param);
  const place = `${param}.content`;
  const parts = (content as readonly unknown[]).map((part): CanonicalPart => {
    if (!isObject(part)) throw invalidField(place, 'must be a string or an array of parts.');
    switch (part.type) {
      case 'text':
        if (typeof part.text === 'string') return { type: 'text', text: part.text };
        throw invalidField(place, 'the text of a part must be a string.');
      case 'image_url': {
        const { detail, url } = isObject(part.image_url) ? part.image_url : {};
        return imagePartOf(url, detail, place);
      }
      case 'file': {
        const { file_data: data, filename } = isObject(part.file) ? part.file : {};
        return filePartOf(data, filename, place);
      }
      default:
        throw invalidField(place, 'the type of a part must be text, image_url or file.');
    }
  });
  return joinTexts(parts, '');
}

/** Text as it is, or the texts of an array of text parts joined. */
function checkContent(content: unknown, param: string): string {
  if (typeof content === 'string') return content;
  const rule = 'must be a string or an array of text parts.';
  if (!Array.isArray(content) || content.length === 0) throw invalidField(`${param}.content`, rule);
  let text = '';
  for (const part of content as readonly unknown[]) {
    if (!isObject(part) || part.type !== 'text' || typeof part.text !== 'string') {
      throw invalidField(`${param}.content`, rule);
    }
    text += part.text;
  }
  return text;
}

function checkToolCalls(value: unknown, param: string): readonly CanonicalToolCall[] {
  if (isAbsent(value)) return [];
  if (!Array.isArray(value) || value.length > CHAT_BOUNDS.toolCallsMax) {
    throw invalidField(
      param,
      `must be an array of at most ${CHAT_BOUNDS.toolCallsMax} tool calls.`,
    );
  }
  return value.map((call: unknown) => {
    const target = isObject(call) ? call.function : undefined;
    if (
      !isObject(call) ||
      typeof call.id !== 'string' ||
      call.type !== 'function' ||
      !isObject(target) ||
      typeof target.name !== 'string' ||
      typeof target.arguments !== 'string'
    ) {
      throw invalidField(
        param,
        'each must have id, type "function", function.name and .arguments.',
      );
    }
    const called = { name: target.name, arguments: target.arguments };
    return { id: call.id, type: 'function', function: called };
  });
}
