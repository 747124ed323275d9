import { ENVELOPE, envelopeOf } from '../../../http/envelope';
import { toFailureBody } from '../../../http/errors';
import type { ChatFormat } from '../../format';
import { createFrames, openaiFormat, toAnswer } from '../openai/format';

/** `POST /v1/llm/chat/completions`: OpenAI's format, with v1's envelope and v1's error codes. */
export const envelopeFormat: ChatFormat = {
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
