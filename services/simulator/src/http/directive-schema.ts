import type { IncomingHttpHeaders } from 'node:http';
import { withoutUndefined } from '@tollgate/core';
import { z } from 'zod';
import { DIRECTIVE_BOUNDS, type Directive, mergeDirectives } from '../domain/behaviour';
import { isFailureModeName } from '../domain/failure-modes';

const delayMs = z.int().min(0).max(DIRECTIVE_BOUNDS.delayMsMax);
const tokenCount = z.int().min(0).max(DIRECTIVE_BOUNDS.tokensMax);
const every = z.int().min(1).max(DIRECTIVE_BOUNDS.everyMax);
const failName = z.string().refine(isFailureModeName, {
  error: (issue) => `unknown failure mode ${JSON.stringify(issue.input)}`,
});

/** The wire form of a directive; a member that it does not know is an error, not a wish. */
const directiveSchema = z.strictObject({
  latency_ms: delayMs.optional(),
  first_token_ms: delayMs.optional(),
  token_interval_ms: delayMs.optional(),
  tokens: tokenCount.optional(),
  text: z.string().max(DIRECTIVE_BOUNDS.textLengthMax).optional(),
  thoughts: z.string().max(DIRECTIVE_BOUNDS.textLengthMax).optional(),
  fail: z
    .union([failName, z.array(failName).max(DIRECTIVE_BOUNDS.failNamesMax)])
    .transform((fail) => (typeof fail === 'string' ? [fail] : fail))
    .optional(),
  fail_every: every.optional(),
  fail_first: every.optional(),
  retry_after: z.int().min(0).max(DIRECTIVE_BOUNDS.retryAfterSecondsMax).optional(),
  cut_after_tokens: tokenCount.optional(),
  tag: z.string().min(1).max(DIRECTIVE_BOUNDS.tagLengthMax).optional(),
});

/** A directive, or the sentence that says what is wrong with it. */
export type DirectiveReading =
  | { readonly ok: true; readonly directive: Directive }
  | { readonly ok: false; readonly problem: string };

/** Reads the wire form. */
export function fromWireDirective(wire: unknown): DirectiveReading {
  const parsed = directiveSchema.safeParse(wire);
  if (!parsed.success) {
    const problems = parsed.error.issues.map(
      ({ path, message }) => `${path.join('.')}: ${message}`,
    );
    return { ok: false, problem: `The directive is not valid. ${problems.join('; ')}` };
  }
  const { data } = parsed;
  return {
    ok: true,
    // An absent member must not hide the one of an earlier directive.
    directive: withoutUndefined({
      latencyMs: data.latency_ms,
      firstTokenMs: data.first_token_ms,
      tokenIntervalMs: data.token_interval_ms,
      tokens: data.tokens,
      text: data.text,
      thoughts: data.thoughts,
      fail: data.fail,
      failEvery: data.fail_every,
      failFirst: data.fail_first,
      retryAfterSeconds: data.retry_after,
      cutAfterTokens: data.cut_after_tokens,
      tag: data.tag,
    }),
  };
}

/** Shows a directive in its wire form. */
export function toWireDirective(directive: Directive): unknown {
  return {
    latency_ms: directive.latencyMs,
    first_token_ms: directive.firstTokenMs,
    token_interval_ms: directive.tokenIntervalMs,
    tokens: directive.tokens,
    text: directive.text,
    thoughts: directive.thoughts,
    fail: directive.fail,
    fail_every: directive.failEvery,
    fail_first: directive.failFirst,
    retry_after: directive.retryAfterSeconds,
    cut_after_tokens: directive.cutAfterTokens,
    tag: directive.tag,
  };
}

const HEADER_PREFIX = 'x-simulate-';
const MARK = '[[simulate';
const DIRECTIVE = /\[\[simulate\s*(\{.*?\})\s*\]\]/s;
const NOTHING: DirectiveReading = { ok: true, directive: {} };
const TEXT_MEMBERS: ReadonlySet<string> = new Set(['text', 'thoughts', 'tag']);

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
  return { ok: true, directive: mergeDirectives(fromHeaders.directive, fromText.directive) };
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
