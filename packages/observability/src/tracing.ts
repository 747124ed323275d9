import type { Span as OtelSpan } from '@opentelemetry/api';
import type { Logger } from '@tollgate/core';

export type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

export interface SpanOptions {
  /** The client's `traceparent`; a new trace when absent. */
  readonly traceparent?: string | undefined;
  readonly kind?: 'server' | 'client' | 'internal';
  readonly attributes?: SpanAttributes;
}

export interface Span {
  /** For the next hop. */
  readonly traceparent: string;
  setAttributes(attributes: SpanAttributes): void;
  /** Ends the span; a failure is named by its error code, never by a text that may hold content. */
  end(failureCode?: string): void;
}

export interface Tracing {
  /** False without an endpoint: callers on hot paths then skip spans altogether. */
  readonly enabled: boolean;
  startSpan(name: string, options?: SpanOptions): Span;
  /** Sends what is buffered. */
  shutdown(): Promise<void>;
}

export interface TracingOptions {
  readonly serviceName: string;
  /** OTEL_EXPORTER_OTLP_ENDPOINT; undefined turns traces off and loads nothing. */
  readonly endpoint: string | undefined;
  readonly logger: Logger;
}

const disabledSpan: Span = { traceparent: '', setAttributes() {}, end() {} };

/** Does nothing at all; what services get when no endpoint is configured. */
export const disabledTracing: Tracing = {
  enabled: false,
  startSpan: () => disabledSpan,
  shutdown: async () => {},
};

/** Traces to an OTLP collector over HTTP. The SDK is loaded only when an endpoint is given. */
export function createTracing(options: TracingOptions): Tracing {
  const { endpoint, serviceName, logger } = options;
  if (endpoint === undefined) return disabledTracing;
  const api = require('@opentelemetry/api') as typeof import('@opentelemetry/api');
  const { NodeSDK } =
    require('@opentelemetry/sdk-node') as typeof import('@opentelemetry/sdk-node');
  const { OTLPTraceExporter } =
    require('@opentelemetry/exporter-trace-otlp-http') as typeof import('@opentelemetry/exporter-trace-otlp-http');
  const sdk = new NodeSDK({
    serviceName,
    traceExporter: new OTLPTraceExporter({ url: `${endpoint.replace(/\/$/, '')}/v1/traces` }),
    metricReaders: [],
    logRecordProcessors: [],
    instrumentations: [],
  });
  sdk.start();
  logger.info({ endpoint }, 'traces are exported');
  const tracer = api.trace.getTracer('tollgate');
  const kinds = {
    server: api.SpanKind.SERVER,
    client: api.SpanKind.CLIENT,
    internal: api.SpanKind.INTERNAL,
  } as const;
  return {
    enabled: true,
    startSpan(name, { traceparent, kind = 'internal', attributes = {} } = {}) {
      const carrier = traceparent === undefined ? {} : { traceparent };
      const parent = api.propagation.extract(api.ROOT_CONTEXT, carrier);
      const span = tracer.startSpan(name, { kind: kinds[kind], attributes }, parent);
      return toSpan(span, api.SpanStatusCode.ERROR);
    },
    shutdown: () => sdk.shutdown(),
  };
}

function toSpan(span: OtelSpan, errorStatus: 2): Span {
  const { traceId, spanId, traceFlags } = span.spanContext();
  return {
    traceparent: `00-${traceId}-${spanId}-${(traceFlags & 1) === 0 ? '00' : '01'}`,
    setAttributes(attributes) {
      span.setAttributes({ ...attributes });
    },
    end(failureCode) {
      if (failureCode !== undefined) span.setStatus({ code: errorStatus, message: failureCode });
      span.end();
    },
  };
}
