import type { Span, Tracing } from '@tollgate/observability';
import type { VendorCall, VendorPort, VendorStream } from '../domain/vendor';

/**
 * Gives every call of a vendor a span of its own, and its context to the vendor. The same port,
 * untouched, when nothing is traced: then the client's own context goes on as it came.
 */
export function traceVendorCalls(vendors: VendorPort, tracing: Tracing | undefined): VendorPort {
  if (!tracing?.enabled) return vendors;
  const begin = (call: VendorCall): { readonly span: Span; readonly traced: VendorCall } => {
    const { channel, model, upstreamName } = call.candidate;
    const span = tracing.startSpan(`vendor ${upstreamName}`, {
      traceparent: call.traceparent,
      kind: 'client',
      attributes: {
        'gen_ai.request.model': model.name,
        'gen_ai.provider.name': channel.type,
        'tollgate.channel_id': channel.id,
        'tollgate.request_id': call.requestId,
      },
    });
    return { span, traced: { ...call, traceparent: span.traceparent } };
  };
  return {
    ...vendors,
    async complete(call, signal) {
      const { span, traced } = begin(call);
      return endWith(span, vendors.complete(traced, signal));
    },
    async stream(call, signal) {
      const { span, traced } = begin(call);
      try {
        return traceStream(await vendors.stream(traced, signal), span, signal);
      } catch (error) {
        span.end(FAILED);
        throw error;
      }
    },
  };
}

/** Which failure it was stands in the span of the completion, by its code. */
const FAILED = 'UPSTREAM_ERROR';

async function endWith<Result>(span: Span, work: Promise<Result>): Promise<Result> {
  try {
    const result = await work;
    span.end();
    return result;
  } catch (error) {
    span.end(FAILED);
    throw error;
  }
}

/** Ends the span with the stream, or when nobody reads it any more. */
function traceStream(stream: VendorStream, span: Span, signal: AbortSignal): VendorStream {
  let ended = false;
  const end = (failure?: string): void => {
    if (ended) return;
    ended = true;
    signal.removeEventListener('abort', onAbort);
    span.end(failure);
  };
  const onAbort = () => end(FAILED);
  signal.addEventListener('abort', onAbort, { once: true });
  return {
    async next() {
      try {
        const pieces = await stream.next();
        if (pieces === undefined) end();
        return pieces;
      } catch (error) {
        end(FAILED);
        throw error;
      }
    },
  };
}
