import type { ServerResponse } from 'node:http';
import { SIMULATED_HEADERS } from '../domain/script';
import {
  type VendorErrorDetails,
  type VendorStatus,
  vendorErrorBody,
} from '../domain/vendor-error';

/** Answers with JSON text. */
export function answerJson(response: ServerResponse, status: number, body: string): void {
  const headers = {
    ...SIMULATED_HEADERS,
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
  };
  response.writeHead(status, headers).end(body);
}

/** Answers with an error as vendors shape it. */
export function answerError(
  response: ServerResponse,
  status: VendorStatus,
  details?: VendorErrorDetails,
): void {
  answerJson(response, status, vendorErrorBody(status, details));
}
