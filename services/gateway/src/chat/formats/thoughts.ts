import { findExcess, isObject, type JsonObject, parseJson, type Thought } from '@tollgate/core';
import { z } from 'zod';
import { invalidField } from '../../http/errors';
import { isAbsent, optionalString, stringIn } from './fields';

/** Thoughts of one message. */
const THOUGHTS_MAX = 128;
const THINKING_FIELDS = new Set(['type', 'thinking', 'signature']);
const REDACTED_FIELDS = new Set(['type', 'data']);

const signature = z
  .string()
  .nullish()
  .describe('As it came; a vendor of Messages refuses one under another text.');

/** A block of Messages in the history; chat completions have the same blocks. */
export const thinkingBlockSchema = z.strictObject({
  type: z.literal('thinking'),
  thinking: z.string(),
  signature,
});
export const redactedThinkingSchema = z.strictObject({
  type: z.literal('redacted_thinking'),
  data: z.string().describe('As it came: it cannot be read.'),
});

/** The same in messages of chat completions, which ignore fields that nobody knows. */
export const thinkingBlocksSchema = z
  .array(
    z.discriminatedUnion('type', [
      z.object({ type: z.literal('thinking'), thinking: z.string(), signature }),
      z.object({ type: z.literal('redacted_thinking'), data: z.string() }),
    ]),
  )
  .max(THOUGHTS_MAX);

/** Thoughts in an answer; a signature that the vendor does not give is empty. */
export const answeredThoughtSchemas = [
  z.object({
    type: z.literal('thinking'),
    thinking: z.string(),
    signature: z.string().describe('Of its vendor; empty where it signs no thoughts.'),
  }),
  z.object({ type: z.literal('redacted_thinking'), data: z.string() }),
] as const;

/** Thoughts that nobody signed; none without a text. */
export function plainThoughts(text: string): readonly Thought[] {
  return text === '' ? [] : [{ type: 'thinking', thinking: text, signature: '' }];
}

/** The field of a message that has thoughts before it; nothing when it has none. */
export function thoughtField(thoughts: readonly Thought[]): {
  readonly thinking_blocks?: readonly Thought[];
} {
  return thoughts.length === 0 ? {} : { thinking_blocks: thoughts };
}

/** Checks a block of type thinking or redacted_thinking. */
export function readThought(block: JsonObject, param: string): Thought {
  if (block.type === 'redacted_thinking') {
    const data = stringIn(block, 'data', REDACTED_FIELDS, param);
    return { type: 'redacted_thinking', data };
  }
  const thinking = stringIn(block, 'thinking', THINKING_FIELDS, param);
  const signed = optionalString(block, 'signature', `${param}.signature`) ?? '';
  return { type: 'thinking', thinking, signature: signed };
}

/** Checks the thoughts of an assistant's message of chat completions, signed or not. */
export function checkThoughts(source: JsonObject, param: string): readonly Thought[] {
  const { thinking_blocks: blocks } = source;
  const text = optionalString(source, 'reasoning_content', `${param}.reasoning_content`) ?? '';
  if (isAbsent(blocks)) return plainThoughts(text);
  const read = thoughtsIn(blocks);
  if (read === undefined) {
    const rule = `must be at most ${THOUGHTS_MAX} blocks of type thinking or redacted_thinking.`;
    throw invalidField(`${param}.thinking_blocks`, rule);
  }
  return read.length > 0 ? read : plainThoughts(text);
}

/** Refuses more thoughts than one message may have; of items, which come one after another. */
export function requireFewThoughts(thoughts: readonly Thought[], param: string): void {
  if (thoughts.length <= THOUGHTS_MAX) return;
  throw invalidField(param, `is more than ${THOUGHTS_MAX} thoughts before one answer.`);
}

/** Undefined where a value is no thought, or there are too many to look at each. */
function thoughtsIn(value: unknown): readonly Thought[] | undefined {
  if (!Array.isArray(value) || value.length > THOUGHTS_MAX) return undefined;
  const read = (value as readonly unknown[]).map(thoughtIn);
  const thoughts = read.filter((each) => each !== undefined);
  return thoughts.length === read.length ? thoughts : undefined;
}

function thoughtIn(block: unknown): Thought | undefined {
  if (!isObject(block)) return undefined;
  const { type, thinking, signature: signed, data } = block;
  if (type === 'redacted_thinking' && typeof data === 'string') return { type, data };
  const isSigned = isAbsent(signed) || typeof signed === 'string';
  if (type !== 'thinking' || typeof thinking !== 'string' || !isSigned) return undefined;
  return { type, thinking, signature: signed ?? '' };
}

/** Signed thoughts as one text that clients hand back and do not read. */
export function packThoughts(thoughts: readonly Thought[]): string {
  return Buffer.from(JSON.stringify(thoughts)).toString('base64');
}

/** A list of objects without further nesting, each of at most three fields. */
const PACKED_BOUNDS = { depthMax: 2, valuesMax: 4 * THOUGHTS_MAX };

/**
 * Undefined for a text that is not of `packThoughts`, such as another service's. It is JSON within a
 * body, which the bounds of the body's own JSON do not see: it has its own.
 */
export function unpackThoughts(text: string): readonly Thought[] | undefined {
  const json = Buffer.from(text, 'base64').toString();
  if (findExcess(json, PACKED_BOUNDS) !== undefined) return undefined;
  return thoughtsIn(parseJson(json));
}
