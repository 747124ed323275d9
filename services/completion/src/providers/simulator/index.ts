import type { VendorProtocol } from '../protocol';
import { toFailure } from './errors';
import { buildRequest } from './request';
import { checkHead, parseCompletion } from './response';
import { createStreamReader } from './stream';

/** The built-in stand-in for a vendor. */
export const simulatorProtocol: VendorProtocol = {
  buildRequest,
  parseCompletion,
  createStreamReader,
  checkHead,
  toFailure,
};
