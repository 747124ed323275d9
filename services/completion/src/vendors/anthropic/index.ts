import { checkHead } from '../adapter/answer-form';
import type { VendorProtocol } from '../adapter/protocol';
import { toFailure } from './errors';
import { buildRequest } from './request';
import { parseCompletion } from './response';
import { createStreamReader } from './stream';

/** The Messages protocol of Anthropic. */
export const anthropicProtocol: VendorProtocol = {
  buildRequest,
  parseCompletion,
  createStreamReader,
  checkHead,
  toFailure,
};
