import { isObject, type JsonObject } from '@tollgate/core';
import type { ChatQuestion } from '../domain/answer';
import { countPromptTokens } from '../domain/simulated-text';

/** A question, or the field at fault and what is wrong with it. */
export type ChatReading =
  | { readonly ok: true; readonly question: ChatQuestion }
  | { readonly ok: false; readonly param: string; readonly problem: string };

const STOP_MAX = 4;

/** Reads a chat request as strictly as vendors do where it matters; unknown members are ignored. */
export function fromChatBody(body: unknown): ChatReading {
  if (!isObject(body)) return wrong('', 'The body must be a JSON object.');
  const { model, messages, stream, n } = body;
  if (typeof model !== 'string' || model === '') return wrong('model', 'A model is required.');
  if (!Array.isArray(messages) || messages.length === 0) {
    return wrong('messages', 'At least one message is required.');
  }
  if (stream !== undefined && stream !== null && typeof stream !== 'boolean') {
    return wrong('stream', 'stream must be true or false.');
  }
  if (n !== undefined && n !== null && n !== 1) return wrong('n', 'Only one choice is simulated.');
  const maxTokens = readMaxTokens(body);
  if (maxTokens === null) return wrong('max_tokens', 'max_tokens must be a whole number from 1.');
  const stop = readStop(body.stop);
  if (stop === null) return wrong('stop', 'stop must be a string or up to four strings.');
  const spoken = readMessages(messages);
  if (spoken === null) return wrong('messages', 'Every message needs a role and a content.');
  const { stream_options: options } = body;
  return {
    ok: true,
    question: {
      model,
      lastUserText: spoken.lastUserText,
      promptTokens: countPromptTokens(spoken.lengths),
      maxTokens,
      stop,
      stream: stream === true,
      includeUsage: isObject(options) && options.include_usage === true,
    },
  };
}

function wrong(param: string, problem: string): ChatReading {
  return { ok: false, param, problem };
}

/** The smaller of the two caps that clients send; null when one is wrong. */
function readMaxTokens(body: JsonObject): number | undefined | null {
  let cap: number | undefined;
  for (const value of [body.max_tokens, body.max_completion_tokens]) {
    if (value === undefined || value === null) continue;
    if (typeof value !== 'number' || !Number.isInteger(value) || value < 1) return null;
    cap = Math.min(cap ?? value, value);
  }
  return cap;
}

function readStop(stop: unknown): readonly string[] | null {
  if (stop === undefined || stop === null) return [];
  const list: readonly unknown[] = Array.isArray(stop) ? stop : [stop];
  const texts = list.filter((item): item is string => typeof item === 'string' && item !== '');
  return texts.length === list.length && list.length <= STOP_MAX ? texts : null;
}

function readMessages(messages: readonly unknown[]) {
  const lengths: number[] = [];
  let lastUserText = '';
  for (const message of messages) {
    if (!isObject(message) || typeof message.role !== 'string') return null;
    const text = readContent(message.content);
    if (text === null) return null;
    lengths.push(text.length);
    if (message.role === 'user') lastUserText = text;
  }
  return { lengths, lastUserText };
}

/** Text, or text parts joined; nothing for messages that only call tools. */
function readContent(content: unknown): string | null {
  if (typeof content === 'string') return content;
  if (content === undefined || content === null) return '';
  if (!Array.isArray(content)) return null;
  let joined = '';
  for (const part of content as readonly unknown[]) {
    if (!isObject(part) || part.type !== 'text' || typeof part.text !== 'string') return null;
    joined += part.text;
  }
  return joined;
}
