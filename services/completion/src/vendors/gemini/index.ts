import { NO_TEXTS } from '../protocol/embeddings';
import type { VendorProtocol } from '../protocol/vendor-protocol';
import { buildEmbeddingRequest, parseEmbeddings } from './embeddings';
import { toFailure } from './errors';
import { buildRequest } from './request';
import { parseCompletion } from './response';
import { createStreamReader } from './stream';

/** The generateContent protocol of Gemini. */
export const geminiProtocol: VendorProtocol = {
  buildRequest,
  parseCompletion,
  createStreamReader,
  toFailure,
};

/** Vectors by the same protocol: they come in one piece. */
export const geminiEmbeddings: VendorProtocol = {
  ...geminiProtocol,
  buildRequest: buildEmbeddingRequest,
  parseCompletion: (body, { embedding = NO_TEXTS }) => parseEmbeddings(body, embedding),
};
