import { withDatabaseFailures } from './failures';
import type { MongoStore } from './store';

/** Of a restore: which backup, and how far it came. It stands there until the store is whole. */
export const RESTORE_MARKS = 'restore_marks';
/** There is one restore at a time. */
export const RESTORE_MARK_ID = 'restore';

/**
 * Throws while a restore is not at its end: a product that started on half of a copy would make
 * itself anew beside it, with an operator of its own.
 */
export async function requireNoOpenRestore({ connection }: MongoStore): Promise<void> {
  const marks = connection.collection<{ _id: string }>(RESTORE_MARKS);
  const mark = await withDatabaseFailures(() => marks.findOne({ _id: RESTORE_MARK_ID }));
  if (mark === null) return;
  throw new Error(
    'a restore into this store was interrupted: ask for tollgate restore with the same backup again',
  );
}
