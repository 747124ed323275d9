import { AppError, type JsonObject } from '@tollgate/core';
import { invalidField } from '../../../http/errors';
import type { ChatRequest } from '../../request';
import { marksOfTools } from '../cache-marks';
import { toChatRequest } from '../canonical';
import {
  describeUnknownFields,
  findIgnored,
  findMeant,
  IGNORED_MAX,
  isAbsent,
  optionalBoolean,
  optionalInteger,
  optionalNumber,
  optionalObject,
  requireObject,
} from '../fields';
import { CHAT_BOUNDS, checkFallbacks, checkModel, checkUser, isTextList } from '../shared-fields';
import { checkCapabilities } from './capabilities';
import { readConversation } from './messages';
import { CHAT_FIELDS } from './schema';

/**
 * The request of a parsed body. A field that is not known is ignored, as clients expect who send
 * those of other vendors, and the request says so; a refusal names it, because it may be the cause.
 */
export function fromChatBody(body: unknown): ChatRequest {
  requireObject(body);
  const unknown = findIgnored(body, CHAT_FIELDS);
  try {
    const chat = checkChatBody(body);
    const names = namesASpeaker(body.messages)
      ? [SPEAKER, ...(unknown ?? [])].slice(0, IGNORED_MAX)
      : unknown;
    if (names === undefined) return chat;
    return { ...chat, ignored: { names, inWords: describeUnknownFields(names, CHAT_FIELDS) } };
  } catch (error) {
    throw withUnknown(error, body);
  }
}

/** Not sent on: some vendors refuse it, and others cannot say it. */
const SPEAKER = 'messages[].name';

function namesASpeaker(messages: unknown): boolean {
  return (
    Array.isArray(messages) &&
    messages.some(({ name, role }: JsonObject) => role !== 'tool' && Boolean(name))
  );
}

/** An empty field with a name that is nearly known may be the cause too: `"mesages": []`. */
function withUnknown(error: unknown, body: JsonObject): unknown {
  if (!(error instanceof AppError) || error.code !== 'VALIDATION_ERROR') return error;
  const isNear = (name: string) => findMeant(name, CHAT_FIELDS) !== undefined;
  const names = findIgnored(body, CHAT_FIELDS, isNear);
  if (names === undefined) return error;
  const { param, publicMessage } = error;
  const unknown = describeUnknownFields(names, CHAT_FIELDS, 'not known');
  return new AppError('VALIDATION_ERROR', {
    publicMessage: `${publicMessage.replace(/\.$/, '')} (${unknown}).`,
    ...(param === undefined ? {} : { param }),
  });
}

/**
 * Checks a parsed body field by field in the order of the schema and throws VALIDATION_ERROR that
 * names the first field at fault. Written by hand because it is on every request's path; the schema
 * beside it documents the same rules, and a property test holds the two together.
 */
function checkChatBody(body: JsonObject): ChatRequest {
  const model = checkModel(body.model);
  const fallbackModels = checkFallbacks(body.models);
  const { messages, needs, cacheMarks } = readConversation(body.messages);
  const temperature = optionalNumber(body, 'temperature', 0, CHAT_BOUNDS.temperatureMax);
  const topP = optionalNumber(body, 'top_p', 0, CHAT_BOUNDS.topPMax);
  const maxTokens = checkMaxTokens(body);
  const stream = optionalBoolean(body, 'stream') ?? false;
  const includeUsage = checkStreamOptions(body);
  const stop = checkStop(body.stop);
  const { penaltyMin, penaltyMax } = CHAT_BOUNDS;
  const presencePenalty = optionalNumber(body, 'presence_penalty', penaltyMin, penaltyMax);
  const frequencyPenalty = optionalNumber(body, 'frequency_penalty', penaltyMin, penaltyMax);
  const user = checkUser(body.user);
  const seed = optionalInteger(body, 'seed', Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER);
  optionalObject(body, 'metadata');
  return toChatRequest({
    model,
    fallbackModels,
    messages,
    stream,
    includeUsage: stream && includeUsage,
    sampling: {
      temperature,
      topP,
      maxTokens,
      stop,
      presencePenalty,
      frequencyPenalty,
      seed: seed === undefined ? undefined : BigInt(seed),
      user,
    },
    capabilities: checkCapabilities(body),
    needs,
    cacheMarks: [...marksOfTools(body.tools), ...cacheMarks],
  });
}

/** The smaller of two caps wins. */
function checkMaxTokens(body: JsonObject): number | undefined {
  const older = optionalInteger(body, 'max_tokens', 1, CHAT_BOUNDS.maxTokensMax);
  const newer = optionalInteger(body, 'max_completion_tokens', 1, CHAT_BOUNDS.maxTokensMax);
  if (older === undefined) return newer;
  return newer === undefined ? older : Math.min(older, newer);
}

function checkStreamOptions(body: JsonObject): boolean {
  const includeUsage = optionalObject(body, 'stream_options')?.include_usage;
  if (isAbsent(includeUsage)) return false;
  if (typeof includeUsage !== 'boolean') {
    throw invalidField('stream_options.include_usage', 'must be true or false.');
  }
  return includeUsage;
}

function checkStop(value: unknown): string[] {
  if (isAbsent(value)) return [];
  const { stopMax, stopLengthMax } = CHAT_BOUNDS;
  const words: readonly unknown[] = Array.isArray(value) ? value : [value];
  if (isTextList(words, stopMax, stopLengthMax)) return words;
  throw invalidField(
    'stop',
    `must be a string or at most ${stopMax} strings, each of 1 to ${stopLengthMax} characters.`,
  );
}
