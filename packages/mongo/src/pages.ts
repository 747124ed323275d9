import { withoutUndefined } from '@tollgate/core';
import type { mongo } from 'mongoose';
import type { FindOptions } from './documents';

/** The filter of what comes after an id in ascending order; of everything without one. */
export function afterId<Id extends string>(after: Id | undefined): { readonly _id?: { $gt: Id } } {
  return after === undefined ? {} : { _id: { $gt: after } };
}

/** The filter of what comes after an id in descending order; of everything without one. */
export function beforeId<Id extends string>(
  before: Id | undefined,
): { readonly _id?: { $lt: Id } } {
  return before === undefined ? {} : { _id: { $lt: before } };
}

/** Behind a prefix it is above every text that begins with it. */
const END_OF_TEXT = '\u{10ffff}';

/** The texts that begin with the prefix; with `after`, which may be any text, those that follow it. */
export function beginningWith(prefix: string, after?: string) {
  return withoutUndefined({ $gte: prefix, $gt: after, $lt: `${prefix}${END_OF_TEXT}` });
}

/** A list in the order of a time. */
interface TimeOrder {
  /** The member that holds the time, a number; it has an index. */
  readonly member: string;
  /** Which times are listed. */
  readonly range: { readonly $gte?: number; readonly $lt?: number; readonly $lte?: number };
  /** What is read of each; all of it without one. */
  readonly projection?: Readonly<Record<string, 1>>;
}

/** What `Documents` and `Records` have in common: they are listed. */
interface Listed<Document extends { readonly _id: string }, Item> {
  list(filter: mongo.Filter<Document>, options?: FindOptions): Promise<Item[]>;
}

/** A page of documents or records by time, those of one time by id. */
export async function listByTime<Document extends { readonly _id: string }, Item>(
  documents: Listed<Document, Item>,
  { member, range, ...read }: TimeOrder,
  page: {
    /** The last of the page before; undefined for the first page. */
    readonly after: { readonly id: string; readonly atMs: number } | undefined;
    readonly limit: number;
  },
): Promise<readonly Item[]> {
  const { after } = page;
  const parts =
    after === undefined
      ? [{ [member]: range }]
      : [
          { [member]: after.atMs, _id: { $gt: after.id } },
          { [member]: { ...range, $gt: after.atMs } },
        ];
  const found: Item[] = [];
  for (const filter of parts) {
    const limit = page.limit - found.length;
    // No limit at all is what 0 means.
    if (limit === 0) break;
    const options = { ...read, sort: { [member]: 1, _id: 1 }, limit } as const;
    found.push(...(await documents.list(filter as mongo.Filter<Document>, options)));
  }
  return found;
}
