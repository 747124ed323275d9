import { PAGE_SIZE_DEFAULT, PAGE_SIZE_MAX } from '@tollgate/core';
import { z } from 'zod';
import { invalidField } from '../../http/errors';
import { isoTime, queryInteger } from './values';

const CURSOR_LENGTH_MAX = 512;
const IDENTIFIER_LENGTH_MAX = 256;

/** A cursor is opaque: it has no form that a schema could describe. */
const PAGE_RULES = { cursor: 'must be the next_cursor of an earlier page of this list' };

/** The query of every list; the cursor is empty on the first page. */
const pageQuery = z.strictObject({
  limit: queryInteger(1, PAGE_SIZE_MAX)
    .default(PAGE_SIZE_DEFAULT)
    .describe(`How many items, 1 to ${PAGE_SIZE_MAX}; ${PAGE_SIZE_DEFAULT} when absent.`),
  cursor: z
    .string()
    .min(1)
    .max(CURSOR_LENGTH_MAX)
    .optional()
    .transform((text = '') => text)
    .describe('The next_cursor of the page before.'),
});

/** Where a page begins, and how long it is. */
export type PageQuery = z.output<typeof pageQuery>;

/** An id or a name in a query, by which a list is narrowed. */
export function identifier(description: string) {
  return z.string().min(1).max(IDENTIFIER_LENGTH_MAX).optional().describe(description);
}

/** The span of time of a list. */
export const timeSpan = {
  start: isoTime.optional().describe('Inclusive.'),
  end: isoTime.optional().describe('Exclusive.'),
};
const SPAN_RULES = { ...PAGE_RULES, end: 'must be after start' };

/** The schemas and rules of a list of these items, which these fields of the query narrow. */
export function listOf<Fields extends z.ZodRawShape = Record<never, never>>(
  item: z.ZodType,
  fields = {} as Fields,
) {
  return {
    query: pageQuery.extend(fields),
    rules: 'start' in fields ? SPAN_RULES : PAGE_RULES,
    data: pageSchemaOf(item),
  };
}

/** The span as services take it: empty where it is open. */
export function readSpan({
  start,
  end,
}: {
  readonly start?: string | undefined;
  readonly end?: string | undefined;
}) {
  if (start !== undefined && end !== undefined && Date.parse(end) <= Date.parse(start)) {
    throw invalidField('end', 'must be after start.');
  }
  return { start: start ?? '', end: end ?? '' };
}

/** A page of items. */
function pageSchemaOf<Item extends z.ZodType>(item: Item) {
  return z.object({
    items: z.array(item),
    next_cursor: z.string().nullable(),
    has_more: z.boolean(),
  });
}

/** Every page of a list that another service has, read one after the other up to its end. */
export async function* everyPage<Page extends { readonly nextCursor: string }>(
  read: (page: { readonly limit: number; readonly cursor: string }) => Promise<Page>,
): AsyncGenerator<Page> {
  let cursor = '';
  do {
    const page = await read({ limit: PAGE_SIZE_MAX, cursor });
    yield page;
    cursor = page.nextCursor;
  } while (cursor !== '');
}

/** The page as it is answered; an empty cursor means that there is no more. */
export function toPageAnswer<Item>(items: readonly Item[], nextCursor: string) {
  const hasMore = nextCursor !== '';
  return { items, next_cursor: hasMore ? nextCursor : null, has_more: hasMore };
}

/**
 * The opaque cursor of a list whose service goes on at a text of this pattern; the name keeps one
 * list's cursor from being read as another's. Empty text is the first page, and after the last.
 */
export function opaqueCursor(name: string, place: RegExp) {
  const pattern = new RegExp(`^${name}:(${place.source})$`);
  return {
    write: (text: string) => text && Buffer.from(`${name}:${text}`).toString('base64url'),
    read: (cursor = ''): string => {
      if (cursor === '') return '';
      const match = pattern.exec(Buffer.from(cursor, 'base64url').toString('latin1'));
      if (match?.[1] !== undefined) return match[1];
      throw invalidField('cursor', 'must be a next_cursor of this list.');
    },
  };
}

/** The cursor of a list of requests: the id that was last. */
export const requestCursor = opaqueCursor('request', /.{1,256}/);
