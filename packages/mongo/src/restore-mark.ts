import { documentsOf } from './documents';
import type { MongoStore } from './store';

/** Of a restore: which backup, and how far it came. It stands there until the store is whole. */
export const RESTORE_MARKS = 'restore_marks';
/** There is one restore at a time. */
export const RESTORE_MARK_ID = 'restore';

/**
 * Throws while a restore is not at its end: a product that started on half of a copy would make
 * itself anew beside it, with an operator of its own.
 */
export async function requireNoOpenRestore(store: MongoStore): Promise<void> {
  const mark = await documentsOf(store, RESTORE_MARKS).find({ _id: RESTORE_MARK_ID });
  if (mark === undefined) return;
  throw new Error(
    'a restore into this store was interrupted: ask for tollgate restore with the same backup again',
  );
}
