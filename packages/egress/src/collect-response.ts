import type { ExchangeHandle, ExchangeObserver, ResponseHeaders } from './exchange';

/** A whole answer. */
export interface CollectedResponse {
  readonly status: number;
  readonly headers: ResponseHeaders;
  readonly body: Buffer;
  /** The body was longer than the bound, or the bound is 0; `body` holds its beginning. */
  readonly truncated: boolean;
}

/** Bounds of a collected answer. */
export interface CollectOptions {
  /** 0 asks for no body: the answer is there with its head. */
  readonly responseBytesMax: number;
  readonly signal?: AbortSignal;
}

/**
 * Runs an exchange to its end and keeps at most `responseBytesMax` of the body. A longer body is
 * not an error, because its status still counts: reading stops there and the connection is dropped.
 */
export function collectResponse(
  start: (observer: ExchangeObserver) => ExchangeHandle,
  options: CollectOptions,
): Promise<CollectedResponse> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let kept = 0;
    let truncated = false;
    let status = 0;
    let headers: ResponseHeaders = {};
    const onSignal = () => handle.abort(options.signal?.reason);
    const settle = () => {
      options.signal?.removeEventListener('abort', onSignal);
      resolve({ status, headers, body: Buffer.concat(chunks), truncated });
    };
    const stop = () => {
      truncated = true;
      handle.abort('the answer is longer than wanted');
    };
    const handle = start({
      onHead(headStatus, headHeaders) {
        status = headStatus;
        headers = headHeaders;
        if (options.responseBytesMax === 0) stop();
      },
      onData(chunk) {
        const room = options.responseBytesMax - kept;
        kept += Math.min(room, chunk.length);
        chunks.push(chunk.length > room ? chunk.subarray(0, room) : chunk);
        if (chunk.length > room) stop();
      },
      onEnd: settle,
      onFailure(error) {
        if (truncated) {
          settle();
          return;
        }
        options.signal?.removeEventListener('abort', onSignal);
        reject(error);
      },
    });
    if (options.signal?.aborted) onSignal();
    else options.signal?.addEventListener('abort', onSignal, { once: true });
  });
}
