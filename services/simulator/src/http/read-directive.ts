import type { IncomingHttpHeaders } from 'node:http';
import { mergeDirectives } from '../domain/behavior';
import { type DirectiveReading, fromWireDirective } from './directive-schema';

const HEADER_PREFIX = 'x-simulate-';
const MARK = '[[simulate';
const DIRECTIVE = /\[\[simulate\s*(\{.*?\})\s*\]\]/s;
const NOTHING: DirectiveReading = { ok: true, directive: {} };
const TEXT_MEMBERS: ReadonlySet<string> = new Set(['text', 'tag']);

/**
 * What the client asks for: `x-simulate-latency-ms: 50` headers first, then
 * `[[simulate {"latency_ms": 50}]]` in the last user message, which wins.
 */
export function readDirective(
  headers: IncomingHttpHeaders,
  lastUserText: string,
): DirectiveReading {
  const fromHeaders = readHeaders(headers);
  if (!fromHeaders.ok) return fromHeaders;
  const fromText = readText(lastUserText);
  if (!fromText.ok) return fromText;
  if (fromHeaders === NOTHING) return fromText;
  return { ok: true, directive: mergeDirectives(fromHeaders.directive, fromText.directive) };
}

/** True when the reading holds no wish, the case that must cost nothing. */
export function isEmptyReading(reading: DirectiveReading): boolean {
  return reading === NOTHING;
}

function readHeaders(headers: IncomingHttpHeaders): DirectiveReading {
  let wire: Record<string, unknown> | undefined;
  for (const name in headers) {
    if (!name.startsWith(HEADER_PREFIX)) continue;
    const member = name.slice(HEADER_PREFIX.length).replaceAll('-', '_');
    wire ??= {};
    wire[member] = fromHeaderValue(member, String(headers[name]));
  }
  return wire === undefined ? NOTHING : fromWireDirective(wire);
}

function fromHeaderValue(member: string, value: string): unknown {
  if (TEXT_MEMBERS.has(member)) return value;
  if (member === 'fail') return value.split(',').map((name) => name.trim());
  return /^\d+$/.test(value) ? Number(value) : value;
}

function readText(text: string): DirectiveReading {
  if (!text.includes(MARK)) return NOTHING;
  const json = DIRECTIVE.exec(text)?.[1];
  if (json === undefined) return { ok: false, problem: 'The directive is not closed with }]].' };
  try {
    return fromWireDirective(JSON.parse(json));
  } catch {
    return { ok: false, problem: 'The directive is not valid JSON.' };
  }
}
