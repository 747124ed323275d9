import { isObject, type JsonObject } from '@tollgate/core';
import type { completionV1 } from '@tollgate/protos';
import { invalidField } from '../../http/errors';

/**
 * Up to where the client wants its prompt kept by the vendor: `cache_control` of a block. `message` is
 * the index of a message, or -1 for the tools; `end` is a place in its text, or the number of parts or
 * tools that are kept, and 0 for all of the message.
 */
export type CacheMark = completionV1.CacheMark;

/** The vendor that reads them takes as many. */
const MARKS_MAX = 4;
/** Stands for the tools in place of a message. */
const TOOLS_INDEX = -1;
/** Stands for the end of a message, wherever that is. */
const WHOLE_MESSAGE = 0;

/** Whether caching is asked for here. Other types of marks, and how long one lasts, are ignored. */
export function isMarked({ cache_control: mark }: JsonObject): boolean {
  return isObject(mark) && mark.type === 'ephemeral';
}

/** The mark at the end of a message. */
export const markOfMessage = (message: number): CacheMark => ({ message, end: WHOLE_MESSAGE });

/**
 * The marks of the blocks from which the content of one message was made. In a text, made by joining
 * the blocks with `between`, a mark is the place where its block ends; in a list of parts it is the
 * number of parts up to its block.
 */
export function marksOfContent(
  blocks: unknown,
  message: number,
  content: string | readonly unknown[] | null,
  between: string,
): CacheMark[] {
  if (!Array.isArray(blocks) || content === null || content.length === 0) return [];
  const marks: CacheMark[] = [];
  let textEnd = -between.length;
  for (const [index, block] of (blocks as readonly JsonObject[]).entries()) {
    if (typeof block.text === 'string') textEnd += between.length + block.text.length;
    if (!isMarked(block)) continue;
    const end = typeof content === 'string' ? textEnd : index + 1;
    if (end > 0) marks.push({ message, end });
  }
  return marks;
}

export function marksOfTools(tools: unknown): CacheMark[] {
  if (!Array.isArray(tools)) return [];
  return (tools as readonly JsonObject[]).flatMap((tool, index) =>
    isMarked(tool) ? [{ message: TOOLS_INDEX, end: index + 1 }] : [],
  );
}

export function requireFewMarks(marks: readonly CacheMark[]): void {
  if (marks.length <= MARKS_MAX) return;
  throw invalidField('cache_control', `must stand at ${MARKS_MAX} places at most.`);
}
