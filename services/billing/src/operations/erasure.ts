import { DAY_MS } from '@tollgate/core';
import {
  createWakeup,
  forEachConcurrently,
  NOTHING_FOUND,
  type PageStart,
  pagesOf,
  type Wakeup,
} from '@tollgate/jobs';
import { entriesOf } from '../domain/journal';
import type { ErasureStore, StoredErasure } from '../domain/ports';
import type { AccountParts } from './dependencies';
import type { ForgetKey } from './key-budgets';
import type { ThresholdOperations } from './thresholds';

/** What follows here when an account is erased. */
export interface ErasureOperations {
  /** Remembers that the account is erased; the next round empties it. */
  begin(accountId: string): Promise<void>;
  /**
   * Empties what billing keeps of erased accounts, page by page; how far it came is written after
   * each page, so that the next leader goes on there. An account stays among the open ones for a
   * day, and while a lease of it waits for records: what settles late is emptied too.
   */
  eraseOpen(signal: AbortSignal): Promise<typeof NOTHING_FOUND | undefined>;
  /** An account is to be emptied. */
  readonly begun: Wakeup;
}

interface Dependencies extends Pick<AccountParts, 'accounts' | 'clock' | 'quarantine' | 'store'> {
  readonly erasures: ErasureStore;
  readonly thresholds: Pick<ThresholdOperations, 'set'>;
  readonly forgetKey: ForgetKey;
}

const ERASURES_PAGE = 100;
/** Entries that one write empties. */
const ENTRIES_AT_ONCE = 500;
/** Requests that ran when their account was erased settle in this time; answers live no longer. */
const LATE_MS = DAY_MS;
const ACCOUNTS_AT_ONCE = 4;
/** Entries of an account in a round: accounts that are erased later do not wait for all of its. */
const ENTRIES_PER_ROUND_MAX = 50 * ENTRIES_AT_ONCE;

export function createErasureOperations(deps: Dependencies): ErasureOperations {
  const { erasures, quarantine, clock } = deps;
  const begun = createWakeup();

  const listOpen = ({ after, limit }: PageStart<StoredErasure>) =>
    erasures.listOpen({ after: after?.accountId, limit });

  return {
    begun,
    async begin(accountId) {
      await erasures.begin(accountId, clock.now());
      begun.wake();
    },
    async eraseOpen(signal) {
      let isIdle = true;
      const erase = async (erasure: StoredErasure): Promise<void> => {
        const { accountId } = erasure;
        await quarantine.attemptOrPostpone({ kind: 'erase', accountId }, async () => {
          if (await eraseOne(deps, erasure, signal)) isIdle = false;
        });
      };
      for await (const page of pagesOf(listOpen, ERASURES_PAGE, signal)) {
        await forEachConcurrently(page, { atOnceMax: ACCOUNTS_AT_ONCE, signal }, erase);
        if (signal.aborted) return undefined;
      }
      return isIdle ? NOTHING_FOUND : undefined;
    },
  };
}

/** True when there was something to empty in the ledger. */
async function eraseOne(
  { erasures, store, accounts, thresholds, forgetKey, clock }: Dependencies,
  stored: StoredErasure,
  signal: AbortSignal,
): Promise<boolean> {
  const erasure = stored.read();
  const { accountId, heardAtMs, throughSeq } = erasure;
  await erasures.removeAnswers(accountId);
  await erasures.blankClaims(accountId);
  const present = await store.find(accountId);
  // An entry that stands in the journal would come to the ledger with its texts.
  if ((present?.journal.length ?? 0) > 0) await accounts.trim(accountId);
  const account = await store.find(accountId);
  // What stands in the journal now, or could not be stored, comes to the ledger later, with texts.
  const [waiting] = entriesOf(account?.journal ?? []);
  const lastSeq = waiting === undefined ? (account?.ledgerSeq ?? 0) : waiting.seq - 1;
  const roundSeq = Math.min(throughSeq + ENTRIES_PER_ROUND_MAX, lastSeq);
  for (let from = throughSeq; from < roundSeq; ) {
    if (signal.aborted) return true;
    const through = Math.min(from + ENTRIES_AT_ONCE, roundSeq);
    await erasures.blankEntries(accountId, from, through);
    await erasures.rememberProgress(erasure, through);
    from = through;
  }
  if (roundSeq < lastSeq) return true;
  // Its keys are deleted, but a request that still ran uses its key's budget, and is charged to it.
  const charged = account?.chargedByKey.keys() ?? [];
  const keyIds = new Set([...charged, ...(account?.budgets.keys() ?? [])]);
  await Promise.all([...keyIds].map((keyId) => forgetKey(accountId, keyId)));
  // Last, because it waits for room in the journal.
  if (account?.thresholds !== undefined) await thresholds.set(accountId, undefined);
  const isQuiet = account === undefined || (account.leases.size === 0 && !account.journal.length);
  if (isQuiet && heardAtMs + LATE_MS <= clock.now()) await erasures.end(erasure);
  return throughSeq < lastSeq;
}
