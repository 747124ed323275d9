import { ENVELOPE, envelopeOf } from '../../http/envelope';
import { toFailureBody } from '../../http/errors';
import type { ChatFormat } from '../format';
import { anthropicFormat } from './anthropic/format';
import { embeddingsFormat } from './embeddings/format';
import { createFrames, openaiFormat, toAnswer } from './openai/format';
import { responsesFormat } from './responses/format';

/** `POST /v1/llm/chat/completions`: OpenAI's format, with v1's envelope and v1's error codes. */
const envelopeFormat: ChatFormat = {
  ...openaiFormat,
  name: 'envelope',
  document: {
    summary: 'Create a chat completion',
    request: openaiFormat.document.request,
    answer: envelopeOf(openaiFormat.document.answer),
  },
  answer: (requestId, answer) => toAnswer(requestId, answer, ENVELOPE),
  frames: (requestId, head) => createFrames(requestId, head, toFailureBody),
  failureBody: toFailureBody,
};

/** All formats: rows of the table take theirs from here, and kept answers are written again in them. */
export const formats = {
  envelope: envelopeFormat,
  openai: openaiFormat,
  anthropic: anthropicFormat,
  responses: responsesFormat,
  embeddings: embeddingsFormat,
} satisfies Readonly<Record<string, ChatFormat>>;
