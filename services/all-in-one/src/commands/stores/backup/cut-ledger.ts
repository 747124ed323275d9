import type { MongoStore, RawCollections } from '@tollgate/mongo';
import { ACCOUNTS, CURSORS, FIGURES, LEDGER, LEDGER_CUT } from './collections';

interface AccountDocument {
  readonly _id: string;
  readonly ledger_seq?: bigint | number;
}

const PAGE_SIZE = 100;

/**
 * Cuts the ledger to where the accounts stand, and keeps what is cut; statistics that came further
 * than an account are forgotten, and counted again from the ledger with its next entry. What this
 * version copies has no such statistics, see `inOrderOfCopy`: counting very many accounts again takes
 * stats hours. Doing it again changes nothing. Answers how many entries and accounts that concerned.
 */
export async function cutLedger(
  store: MongoStore,
  raw: RawCollections,
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
    const cut = await cutAccount(store, raw, { account_id: id, seq: { $gt: seq } });
    entries += cut;
    if (cut > 0) concerned.add(id);
    if (!(await hasFiguresAhead(id, seq, cut > 0))) continue;
    concerned.add(id);
    await figures.deleteMany({ accountId: id });
    await cursors.deleteOne({ _id: id });
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

async function cutAccount(store: MongoStore, raw: RawCollections, beyond: Beyond): Promise<number> {
  const kept = store.connection.collection(LEDGER_CUT);
  let cut = 0;
  for await (const page of raw.pages(LEDGER, beyond)) {
    // One that was interrupted here has kept some of them already.
    if (cut === 0) await kept.deleteMany({ ...beyond });
    await raw.insert(LEDGER_CUT, page);
    cut += page.length;
  }
  if (cut > 0) await store.connection.collection(LEDGER).deleteMany({ ...beyond });
  return cut;
}
