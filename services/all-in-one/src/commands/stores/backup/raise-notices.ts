import type { MongoStore } from '@tollgate/mongo';
import { ACCOUNTS } from './collections';

/** More notices than an account can have got since the copy was made that is restored. */
const RAISED_BY = 1_000_000;

/**
 * Numbers the notices of every account on: what an account is told after a restore must not have the
 * number of a notice that the copy does not know, for which webhook would take it and drop it.
 */
export async function raiseNotices({ connection }: MongoStore): Promise<void> {
  await connection.collection(ACCOUNTS).updateMany({}, { $inc: { notice_seq: RAISED_BY } });
}
