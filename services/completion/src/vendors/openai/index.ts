import { NO_TEXTS } from '../protocol/embeddings';
import { refusedByStatus } from '../protocol/failures';
import type { VendorProtocol } from '../protocol/vendor-protocol';
import { buildEmbeddingRequest, parseEmbeddings } from './embeddings';
import { buildRequest } from './request';
import { parseCompletion } from './response';
import { createStreamReader } from './stream';

/** The chat-completions protocol that most vendors speak. */
export const openaiProtocol: VendorProtocol = {
  buildRequest,
  parseCompletion,
  createStreamReader,
  // A 404 is a model that the vendor does not have.
  toFailure: refusedByStatus,
};

/** Vectors by the same protocol: they come in one piece. */
export const openaiEmbeddings: VendorProtocol = {
  ...openaiProtocol,
  buildRequest: buildEmbeddingRequest,
  parseCompletion: (body, { embedding = NO_TEXTS }) => parseEmbeddings(body, embedding),
};
