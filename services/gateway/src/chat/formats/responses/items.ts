import type { JsonObject, Thought } from '@tollgate/core';
import { packThoughts } from '../thoughts';

/** The items of an answer: what was thought, what was said, and each call of a tool. */

export type ItemStatus = 'completed' | 'incomplete' | 'in_progress';

interface TextPart {
  readonly type: 'output_text';
  text: string;
  readonly annotations: readonly [];
  readonly logprobs: readonly [];
}

interface RefusalPart {
  readonly type: 'refusal';
  refusal: string;
}

export type Part = TextPart | RefusalPart;

export const textPart = (text: string): TextPart => ({
  type: 'output_text',
  text,
  annotations: [],
  logprobs: [],
});
export const refusalPart = (refusal: string): RefusalPart => ({ type: 'refusal', refusal });

export interface OpenMessage {
  readonly index: number;
  readonly parts: Part[];
  /** Where the newest part belongs. */
  place(): JsonObject;
}

export function openMessage(index: number, id: string): OpenMessage {
  const parts: Part[] = [];
  const place = () => ({ item_id: id, output_index: index, content_index: parts.length - 1 });
  return { index, parts, place };
}

interface Call {
  readonly call_id: string;
  readonly name: string;
  text: string;
}

export interface OpenCall extends Call {
  readonly index: number;
}

export interface OutputItem {
  readonly type: string;
  readonly id: string;
  readonly status: ItemStatus;
}

type WriteItem<Content> = (id: string, content: Content, status: ItemStatus) => OutputItem;

export const messageItem = (id: string, parts: readonly Part[], status: ItemStatus) => ({
  type: 'message',
  id: `msg_${id}`,
  status,
  role: 'assistant',
  content: parts,
});
export const callItem = (id: string, { call_id, name, text }: Call, status: ItemStatus) => ({
  type: 'function_call',
  id: `fc_${id}`,
  status,
  call_id,
  name,
  arguments: text,
});

export function itemId(prefix: string, requestId: string, index: number): string {
  return `${prefix}_${requestId}_${index}`;
}

/** What an item of type reasoning is made of; one without a text has no part. */
interface Reasoning {
  readonly text: string;
  /** What of them their vendor signed. */
  readonly signed: readonly Thought[];
}

/** Thoughts that are streamed. */
export interface OpenThought {
  readonly index: number;
  text: string;
  /** The end of the text that no vendor's signature covers yet. */
  unsigned: string;
  readonly signed: Thought[];
}

export const summaryPart = (text: string) => ({ type: 'summary_text', text }) as const;
export const reasoningItem = (id: string, { signed, text }: Reasoning, status: ItemStatus) => ({
  type: 'reasoning',
  id: `rs_${id}`,
  status,
  summary: text === '' ? [] : [summaryPart(text)],
  ...(signed.length === 0 ? {} : { encrypted_content: packThoughts(signed) }),
});

/** The items of one answer, numbered in the order in which they began. */
export function createOutput(requestId: string) {
  const items: OutputItem[] = [];
  const written = <C>(index: number, write: WriteItem<C>, content: C, status: ItemStatus) => {
    const item = write(`${requestId}_${index}`, content, status);
    items[index] = item;
    return item;
  };
  return {
    items,
    add: <C>(write: WriteItem<C>, content: C, status: ItemStatus) =>
      written(items.length, write, content, status),
    begin<C>(write: WriteItem<C>, content: C) {
      const index = items.length;
      return { index, item: written(index, write, content, 'in_progress') };
    },
    set: written,
  };
}
