import {
  asList,
  asObject,
  type JsonObject,
  THINKING_TOKENS_BY_EFFORT,
  type Thought,
  thoughtOf,
} from '@tollgate/core';

/** What a model thought before it answered. */
export interface Thoughts {
  readonly text: string;
  /** The same text in the pieces that were signed; empty for vendors that sign nothing. */
  readonly signed: readonly Thought[];
}

export const NO_THOUGHTS: Thoughts = { text: '', signed: [] };

/** The members of a message of ours that thinks; none when it does not. */
export function thoughtMembers({ signed, text }: Thoughts): JsonObject {
  return {
    ...(text === '' ? {} : { reasoning_content: text }),
    ...(signed.length === 0 ? {} : { thinking_blocks: signed }),
  };
}

/** The thoughts in a message of the history. */
export function thoughtsIn(message: JsonObject): readonly Thought[] {
  return asList(message.thinking_blocks).map((block) => thoughtOf(asObject(block) ?? {}));
}

const TOKENS_BY_EFFORT: Readonly<Record<string, number>> = THINKING_TOKENS_BY_EFFORT;

/** Tokens to think for; undefined when the request leaves it to the model. */
export function thinkingBudgetOf(effort: string, asked: number | undefined): number | undefined {
  return effort === '' ? undefined : (asked ?? TOKENS_BY_EFFORT[effort]);
}
