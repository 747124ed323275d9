import { AppError, type JsonObject } from '@tollgate/core';
import type { completionV1 } from '@tollgate/protos';
import { toPlainFailureBody } from '../../../http/errors';
import type { ChatFormat } from '../../format';
import { fromEmbeddingsBody } from './request';
import { embeddingsRequestSchema, embeddingsSchema } from './schema';

/** `POST /v1/embeddings`: what unmodified client libraries of OpenAI's API say and read. */
export const embeddingsFormat: ChatFormat = {
  name: 'embeddings',
  document: {
    summary: 'Turn texts into vectors',
    request: embeddingsRequestSchema,
    answer: embeddingsSchema,
    whole: true,
  },
  keepAlive: '',
  parse: fromEmbeddingsBody,
  answer: (_requestId, answer, echo) => toEmbeddings(answer, echo),
  frames() {
    throw new AppError('INTERNAL_ERROR', { internalMessage: 'embeddings are not streamed' });
  },
  failureBody: (error) => toPlainFailureBody(error),
};

function toEmbeddings(
  { choices, model, usage }: completionV1.CompleteResponse,
  echo: JsonObject | undefined,
): Buffer {
  const asIs = echo?.encoding === 'base64';
  const vectors = JSON.parse(choices.toString()) as readonly string[];
  const data = vectors.map((vector, index) => ({
    ...{ object: 'embedding', index },
    embedding: asIs ? vector : numbersIn(vector),
  }));
  const { promptTokens = 0, totalTokens = 0 } = usage ?? {};
  const counts = { prompt_tokens: promptTokens, total_tokens: totalTokens };
  return Buffer.from(JSON.stringify({ object: 'list', data, model, usage: counts }));
}

function numbersIn(base64: string): readonly number[] {
  // A copy, because a pooled buffer may begin at any byte.
  const bytes = new Uint8Array(Buffer.from(base64, 'base64'));
  return Array.from(new Float32Array(bytes.buffer));
}
