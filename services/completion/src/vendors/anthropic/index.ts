import { refusedByStatus } from '../protocol/failures';
import type { VendorProtocol } from '../protocol/vendor-protocol';
import { buildRequest } from './request';
import { parseCompletion } from './response';
import { createStreamReader } from './stream';

/** The Messages protocol of Anthropic. */
export const anthropicProtocol: VendorProtocol = {
  buildRequest,
  parseCompletion,
  createStreamReader,
  // Each status has its own error type, so the status says all; 529 is a vendor with too much work.
  toFailure: refusedByStatus,
};
