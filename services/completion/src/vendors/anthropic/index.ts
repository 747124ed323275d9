import { checkHead } from '../protocol/answer-form';
import type { VendorProtocol } from '../protocol/vendor-protocol';
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
