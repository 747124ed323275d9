import type { VendorProtocol } from '../protocol';
import { checkHead, toFailure } from './errors';
import { buildRequest } from './request';
import { parseCompletion } from './response';
import { createStreamReader } from './stream';

/** The generateContent protocol of Gemini. */
export const geminiProtocol: VendorProtocol = {
  buildRequest,
  parseCompletion,
  createStreamReader,
  checkHead,
  toFailure,
};
