import type { MongoStore, RawCollections } from '@tollgate/mongo';
import { ACCOUNTS, CURSORS, FIGURES, LEDGER, LEDGER_CUT } from './collections';

interface AccountDocument {
  readonly _id: string;
  readonly ledger_seq?: bigint | number;
}

const PAGE_SIZE = 100;

/**
 * Cuts the ledger to where the accounts stand, and keeps what is cut under the name of the restore:
 * another one may cut other entries of the same numbers. Statistics that came further than an account
 * are forgotten, and counted again from the ledger with its next entry. What this version copies has
 * no such statistics, see `inOrderOfCopy`: counting very many accounts again takes stats hours.
 * Doing it again changes nothing. Answers how many entries and accounts that concerned.
 */
export async function cutLedger(
  store: MongoStore,
  raw: RawCollections,
  restore: string,
): Promise<{ readonly entries: number; readonly accounts: number }> {
  const { connection } = store;
  const cursors = connection.collection<{ _id: string }>(CURSORS);
  const figures = connection.collection(FIGURES);
  const hasFiguresAhead = async (accountId: string, seq: bigint | number, isCut: boolean) => {
    const ahead = { seq: { $gt: seq } };
    if ((await cursors.findOne({ _id: accountId, ...ahead })) !== null) return true;
    // Buckets are written before cursors.
    return isCut && (await figures.findOne({ accountId, ...ahead })) !== null;
  };
  let entries = 0;
  const concerned = new Set<string>();
  for await (const { _id: id, ledger_seq: seq = 0n } of eachAccount(store)) {
    const beyond = { account_id: id, seq: { $gt: seq } };
    const kept = await keepEntries(raw, beyond, restore);
    entries += kept;
    if (kept > 0) concerned.add(id);
    if (await hasFiguresAhead(id, seq, kept > 0)) {
      concerned.add(id);
      await figures.deleteMany({ accountId: id });
      await cursors.deleteOne({ _id: id });
    }
    // Last: by them one that was interrupted knows that there is still something to do.
    if (kept > 0) await connection.collection(LEDGER).deleteMany(beyond);
  }
  return { entries, accounts: concerned.size };
}

/** Page by page, because the embedded store holds whatever a cursor is to answer. */
async function* eachAccount({ connection }: MongoStore): AsyncGenerator<AccountDocument> {
  const accounts = connection.collection<AccountDocument>(ACCOUNTS);
  const options = { projection: { ledger_seq: 1 }, sort: { _id: 1 }, limit: PAGE_SIZE } as const;
  let page = await accounts.find({}, options).toArray();
  while (page.length > 0) {
    yield* page;
    page = await accounts.find({ _id: { $gt: page.at(-1)?._id ?? '' } }, options).toArray();
  }
}

interface Beyond {
  readonly account_id: string;
  readonly seq: { readonly $gt: bigint | number };
}

async function keepEntries(raw: RawCollections, beyond: Beyond, restore: string): Promise<number> {
  let kept = 0;
  for await (const page of raw.pages(LEDGER, beyond)) {
    await raw.insertAs(LEDGER_CUT, page, (id) => `${id}@${restore}`);
    kept += page.length;
  }
  return kept;
}
