import { randomFillSync } from 'node:crypto';

/** What W3C Trace Context carries from one hop to the next. */
export interface TraceContext {
  /** 32 lower-case hexadecimal digits, not all zero. */
  readonly traceId: string;
  /** 16 lower-case hexadecimal digits, not all zero: the caller's span. */
  readonly spanId: string;
  readonly sampled: boolean;
}

const TRACEPARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const SAMPLED_FLAG = 0x01;
const ZERO_TRACE = '0'.repeat(32);
const ZERO_SPAN = '0'.repeat(16);
const TRACE_BYTES = 16;
const SPAN_BYTES = 8;

/** Reads a `traceparent` header; undefined when it is absent or malformed, as the standard asks. */
export function parseTraceparent(header: string | undefined): TraceContext | undefined {
  if (header === undefined || header.length < 55) return undefined;
  const match = TRACEPARENT.exec(header);
  if (match === null) return undefined;
  const [, version, traceId = '', spanId = '', flags = '', rest] = match;
  // Version ff is forbidden, and version 00 has exactly four parts.
  if (version === 'ff' || (version === '00' && rest !== undefined)) return undefined;
  if (traceId === ZERO_TRACE || spanId === ZERO_SPAN) return undefined;
  return { traceId, spanId, sampled: (Number.parseInt(flags, 16) & SAMPLED_FLAG) !== 0 };
}

/** The header that hands the context on. */
export function formatTraceparent({ traceId, spanId, sampled }: TraceContext): string {
  return `00-${traceId}-${spanId}-${sampled ? '01' : '00'}`;
}

/** A new span in the caller's trace, or in a new trace (not sampled) when there is no caller. */
export function childTraceContext(parent: TraceContext | undefined): TraceContext {
  return {
    traceId: parent?.traceId ?? randomHex(TRACE_BYTES),
    spanId: randomHex(SPAN_BYTES),
    sampled: parent?.sampled ?? false,
  };
}

/** The `traceparent` for the next hop, given the one that came in (or none). */
export function nextTraceparent(incoming: string | undefined): string {
  return formatTraceparent(childTraceContext(parseTraceparent(incoming)));
}

// One system call fills the pool for a few hundred ids.
const pool = Buffer.alloc(4_096);
let poolOffset = pool.length;

function randomHex(bytes: number): string {
  if (poolOffset + bytes > pool.length) {
    randomFillSync(pool);
    poolOffset = 0;
  }
  const text = pool.toString('hex', poolOffset, poolOffset + bytes);
  poolOffset += bytes;
  return text;
}
