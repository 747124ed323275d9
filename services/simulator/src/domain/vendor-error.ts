/** The failing statuses that the simulator can answer with. */
export type VendorStatus =
  | 400
  | 401
  | 403
  | 404
  | 405
  | 408
  | 409
  | 413
  | 422
  | 429
  | 500
  | 502
  | 503
  | 504;

interface VendorErrorRow {
  readonly type: string;
  readonly code: string | null;
  readonly message: string;
}

const VENDOR_ERRORS: Readonly<Record<VendorStatus, VendorErrorRow>> = {
  400: { type: 'invalid_request_error', code: null, message: 'The request is malformed.' },
  401: { type: 'invalid_request_error', code: 'invalid_api_key', message: 'Wrong API key.' },
  403: { type: 'permission_error', code: 'forbidden', message: 'No access to this model.' },
  404: { type: 'invalid_request_error', code: 'not_found', message: 'There is no such thing.' },
  405: { type: 'invalid_request_error', code: null, message: 'The method is not allowed.' },
  408: { type: 'server_error', code: 'timeout', message: 'The request took too long.' },
  409: { type: 'server_error', code: 'conflict', message: 'Another request is in the way.' },
  413: { type: 'invalid_request_error', code: null, message: 'The request is too large.' },
  422: { type: 'invalid_request_error', code: null, message: 'A field cannot be processed.' },
  429: { type: 'requests', code: 'rate_limit_exceeded', message: 'Too many requests.' },
  500: { type: 'server_error', code: null, message: 'Something broke inside.' },
  502: { type: 'server_error', code: 'bad_gateway', message: 'The backend is gone.' },
  503: { type: 'server_error', code: 'overloaded', message: 'All backends are busy.' },
  504: { type: 'server_error', code: 'gateway_timeout', message: 'The backend is silent.' },
};

/** Where one error says more than its row. */
export interface VendorErrorDetails {
  readonly message?: string;
  readonly param?: string;
}

/** The error body as vendors of this protocol shape it; the message says that it is simulated. */
export function vendorErrorBody(status: VendorStatus, details: VendorErrorDetails = {}): string {
  const row = VENDOR_ERRORS[status];
  return JSON.stringify({
    error: {
      message: `Simulated vendor: ${details.message ?? row.message}`,
      type: row.type,
      param: details.param ?? null,
      code: row.code,
    },
  });
}
