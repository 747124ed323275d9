import type { AppError } from '@tollgate/core';
import type { completionV1 } from '@tollgate/protos';
import { NO_USAGE } from '../../../clients/completion/client';
import { toPlainFailureBody } from '../../../http/errors';
import type { ChatFormat, ChatFrames } from '../../format';
import { fromChatBody } from './request';
import { chatCompletionSchema, chatRequestSchema } from './schema';

/** `POST /v1/chat/completions`: what unmodified client libraries of OpenAI's API say and read. */
export const openaiFormat: ChatFormat = {
  name: 'openai',
  document: {
    summary: 'Create a chat completion, unenveloped',
    request: chatRequestSchema.meta({ id: 'ChatCompletionRequest' }),
    answer: chatCompletionSchema.meta({ id: 'ChatCompletion' }),
  },
  keepAlive: ': keep-alive\n\n',
  parse: fromChatBody,
  answer: (requestId, answer) => toAnswer(requestId, answer),
  frames: (requestId, head) => createFrames(requestId, head, toPlainFailureBody),
  failureBody: (error) => toPlainFailureBody(error),
};

const NOTHING_AROUND = { before: '', after: '' };

/** The body of a whole answer: text around the finished `choices`. */
export function toAnswer(
  requestId: string,
  answer: completionV1.CompleteResponse,
  { before, after }: { readonly before: string; readonly after: string } = NOTHING_AROUND,
): Buffer {
  const head =
    `${before}{"id":${JSON.stringify(answerId(requestId))},"object":"chat.completion",` +
    `"created":${answer.created},"model":${JSON.stringify(answer.model)},"choices":`;
  const tail = `,"usage":${usageJson(answer.usage ?? NO_USAGE)}}${after}`;
  return Buffer.concat([Buffer.from(head), answer.choices, Buffer.from(tail)]);
}

const FRAME_END = Buffer.from('}\n\n');
const DONE = 'data: [DONE]\n\n';

/** Frames carry our id, and the created time and model of the head. */
export function createFrames(
  requestId: string,
  head: completionV1.StreamHead,
  toFailureBody: (error: AppError) => string,
): ChatFrames {
  const text =
    `data: {"id":${JSON.stringify(answerId(requestId))},"object":"chat.completion.chunk",` +
    `"created":${head.created},"model":${JSON.stringify(head.model)},"choices":`;
  const prefix = Buffer.from(text);
  return {
    chunk(events) {
      const parts: Buffer[] = [];
      for (const each of events) parts.push(prefix, each, FRAME_END);
      return Buffer.concat(parts);
    },
    end(usage) {
      if (usage === undefined) return Buffer.from(DONE);
      return Buffer.from(`${text}[],"usage":${usageJson(usage)}}\n\n${DONE}`);
    },
    fail: (error) => Buffer.from(`data: ${toFailureBody(error)}\n\n`),
  };
}

/** Client libraries expect the prefix. */
function answerId(requestId: string): string {
  return `chatcmpl-${requestId}`;
}

function usageJson(usage: completionV1.Usage): string {
  const { promptTokens, completionTokens, totalTokens, cachedTokens, reasoningTokens } = usage;
  const written = countOfAny('cache_write_tokens', usage.cacheWriteTokens);
  const heard = countOfAny('audio_tokens', usage.promptAudioTokens);
  const spoken = countOfAny('audio_tokens', usage.completionAudioTokens);
  return (
    `{"prompt_tokens":${promptTokens},"completion_tokens":${completionTokens},` +
    `"total_tokens":${totalTokens},` +
    `"prompt_tokens_details":{"cached_tokens":${cachedTokens}${written}${heard}},` +
    `"completion_tokens_details":{"reasoning_tokens":${reasoningTokens}${spoken}}}`
  );
}

/** A further field, which is left out at 0: few vendors count it. */
function countOfAny(name: string, tokens: number): string {
  return tokens > 0 ? `,"${name}":${tokens}` : '';
}
