import { type JsonObject, THINKING_TOKENS_BY_EFFORT } from '@tollgate/core';
import { asList, asObject, asText } from './json';

/**
 * A thought with the signature by which its vendor knows it again, or one that its vendor keeps to
 * itself. To be sent back as it came: a vendor refuses a signature under another text.
 */
export type SignedThought =
  | { readonly type: 'thinking'; readonly thinking: string; readonly signature: string }
  | { readonly type: 'redacted_thinking'; readonly data: string };

/** What a model thought before it answered. */
export interface Thoughts {
  readonly text: string;
  /** The same text in the pieces that were signed; empty for vendors that sign nothing. */
  readonly signed: readonly SignedThought[];
}

export const NO_THOUGHTS: Thoughts = { text: '', signed: [] };

/** The members of a message of ours that thinks; none when it does not. */
export function thoughtMembers({ signed, text }: Thoughts): JsonObject {
  return {
    ...(text === '' ? {} : { reasoning_content: text }),
    ...(signed.length === 0 ? {} : { thinking_blocks: signed }),
  };
}

/** The thoughts in a message of the history; the signature of one that nobody signed is empty. */
export function thoughtsIn(message: JsonObject): readonly SignedThought[] {
  return asList(message.thinking_blocks).map((value) => {
    const { type, thinking, signature, data } = asObject(value) ?? {};
    return type === 'redacted_thinking'
      ? { type, data: asText(data) }
      : { type: 'thinking', thinking: asText(thinking), signature: asText(signature) };
  });
}

/** Their text, as far as it may be read. */
export function textOfThoughts(thoughts: readonly SignedThought[]): string {
  return thoughts.map((each) => (each.type === 'thinking' ? each.thinking : '')).join('');
}

const TOKENS_BY_EFFORT: Readonly<Record<string, number>> = THINKING_TOKENS_BY_EFFORT;

/** Tokens to think for; undefined when the request leaves it to the model. */
export function thinkingBudgetOf(effort: string, asked: number | undefined): number | undefined {
  return effort === '' ? undefined : (asked ?? TOKENS_BY_EFFORT[effort]);
}
