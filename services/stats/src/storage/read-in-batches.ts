import { databaseFailure } from '@tollgate/mongo';
import type { mongo } from 'mongoose';

/** A batch is taken in one go: nothing else of the process runs meanwhile. */
const READ_AT_ONCE = 1_000;

/** What is found, in any order; no more of it is in memory than one batch. */
export async function* readInBatches<Document, Item>(
  found: mongo.FindCursor<Document>,
  fromStored: (document: Document) => Item,
): AsyncGenerator<Item> {
  try {
    for await (const document of found.batchSize(READ_AT_ONCE)) yield fromStored(document);
  } catch (error) {
    throw databaseFailure(error);
  }
}
