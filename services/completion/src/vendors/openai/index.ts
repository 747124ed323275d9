import type { VendorProtocol } from '../protocol';
import { checkHead } from '../whole';
import { toFailure } from './errors';
import { buildRequest } from './request';
import { parseCompletion } from './response';
import { createStreamReader } from './stream';

/** The chat-completions protocol that most vendors speak. */
export const openaiProtocol: VendorProtocol = {
  buildRequest,
  parseCompletion,
  createStreamReader,
  checkHead,
  toFailure,
};
