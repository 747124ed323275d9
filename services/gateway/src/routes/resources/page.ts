import { z } from 'zod';

const LIMIT_DEFAULT = 50;
const LIMIT_MAX = 200;
const CURSOR_LENGTH_MAX = 512;

/** A whole number in a query; the message is what a caller reads. */
export function queryInteger(min: number, max: number) {
  const rule = `must be a whole number from ${min} to ${max}.`;
  return z
    .string()
    .regex(/^\d{1,9}$/, rule)
    .transform(Number)
    .refine((value) => value >= min && value <= max, rule)
    .meta({ type: 'integer', minimum: min, maximum: max });
}

/** The query of every list. */
export const pageQuery = z.strictObject({
  limit: queryInteger(1, LIMIT_MAX)
    .default(LIMIT_DEFAULT)
    .meta({ description: `How many items, 1 to ${LIMIT_MAX}; ${LIMIT_DEFAULT} when absent.` }),
  cursor: z
    .string()
    .min(1)
    .max(CURSOR_LENGTH_MAX)
    .optional()
    .meta({ description: 'The next_cursor of the page before.' }),
});

/** A page of items. */
export function pageOf<Item extends z.ZodType>(item: Item) {
  return z.object({
    items: z.array(item),
    next_cursor: z.string().nullable(),
    has_more: z.boolean(),
  });
}

/** The page as it is answered; an empty cursor means that there is no more. */
export function toPage<Item>(items: readonly Item[], nextCursor: string) {
  const hasMore = nextCursor !== '';
  return { items, next_cursor: hasMore ? nextCursor : null, has_more: hasMore };
}
