import { AppError, type JsonObject } from '@tollgate/core';
import type { completionV1 } from '@tollgate/protos';
import { toPlainFailureBody } from '../../../http/errors';
import type { ChatFormat } from '../../format';
import { fromEmbeddingsBody } from './request';
import { embeddingsRequestSchema, embeddingsSchema } from './schema';
import { writeVectors } from './vectors';

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

async function toEmbeddings(
  { choices, model, usage }: completionV1.CompleteResponse,
  echo: JsonObject | undefined,
): Promise<Buffer> {
  const { promptTokens = 0, totalTokens = 0 } = usage ?? {};
  const counts = { prompt_tokens: promptTokens, total_tokens: totalTokens };
  return Buffer.concat([
    Buffer.from('{"object":"list","data":'),
    await writeVectors(choices, echo?.encoding === 'base64' ? 'base64' : 'float'),
    Buffer.from(`,"model":${JSON.stringify(model)},"usage":${JSON.stringify(counts)}}`),
  ]);
}
