import { createBoundedMap, createId } from '@tollgate/core';
import { forEachFound, isolateOne, type PageStart } from '@tollgate/jobs';
import { type Account, endErasure } from '../domain/account';
import { type ApiKey, eraseKey } from '../domain/api-key';
import type { EntryPage } from '../domain/ports';
import type { User } from '../domain/user';
import type { Dependencies } from '../operations/dependencies';

type ErasureJobDependencies = Pick<
  Dependencies,
  'clock' | 'logger' | 'accounts' | 'users' | 'keys' | 'remnants' | 'principalLog' | 'outbox'
>;

/** Accounts, users or keys that are read at once. */
const PAGE = 100;
/**
 * A gateway may have admitted a request just before it heard of the erasure, and that request may
 * still write: longer than any such request takes. Only a walk that begins after it ends the erasure.
 */
const FINAL_AFTER_MS = 60_000;
const REMEMBERED_MAX = 10_000;
const ACCOUNTS_AT_ONCE = 4;
/** Pages of entries of an account in a round: accounts erased later do not wait for all of its. */
const ENTRY_PAGES_MAX = 100;

/**
 * Removes the users of erased accounts, their logins, their keys' names and digests, and what the
 * audit log says of them. Every step may be done again and leaves less to do, and a user's record
 * goes after all that is found by it: so a process that dies anywhere goes on at its next start.
 * Only the leader runs it; a round answers NOTHING_FOUND when no account is being erased.
 */
export function createEraseAccounts(deps: ErasureJobDependencies) {
  const { accounts, clock, logger } = deps;
  // By id; an account that a restart forgets is gone through again.
  const goneThrough = createBoundedMap<string, true>(REMEMBERED_MAX);
  const unfinished = createBoundedMap<string, EntryWalks>(REMEMBERED_MAX);

  const eraseOne = async (account: Account, signal: AbortSignal): Promise<void> => {
    // An erasing account changes no more: `updatedAt` is when it began.
    const isFinal = account.updatedAt + FINAL_AFTER_MS <= clock.now();
    if (!isFinal && goneThrough.get(account.id) !== undefined) return;
    const before = unfinished.get(account.id);
    const after = before?.isFinal === isFinal ? before.after : new Map();
    const walks = { isFinal, after, pagesLeft: ENTRY_PAGES_MAX };
    unfinished.set(account.id, walks);
    if (!(await removePersonal(deps, account, walks, signal))) return;
    unfinished.delete(account.id);
    goneThrough.set(account.id, true);
    if (isFinal) await finish(deps, account);
  };

  return async (signal: AbortSignal): Promise<unknown> => {
    const listErasing = ({ after, limit }: PageStart<Account>) =>
      accounts.listErasing({ after: after?.id, limit });
    const bounds = { pageSize: PAGE, atOnceMax: ACCOUNTS_AT_ONCE, signal };
    return forEachFound(listErasing, bounds, (account) =>
      isolateOne(
        () => eraseOne(account, signal),
        (error) => {
          const { id: accountId } = account;
          logger.error({ accountId, error }, 'an account cannot be erased; others are');
        },
      ),
    );
  };
}

/** How far the entries of an account, of one of its users and of one of its keys were emptied. */
interface EntryWalks {
  /**
   * Whether these began after `FINAL_AFTER_MS`, when no request from before the erasure can still
   * write: only they end it.
   */
  readonly isFinal: boolean;
  /** The id to go on after; undefined when the walk is at its end. */
  readonly after: Map<string, string | undefined>;
  /** Of this round. */
  pagesLeft: number;
}

/** False when something is left for the next round. */
async function removePersonal(
  deps: ErasureJobDependencies,
  account: Account,
  walks: EntryWalks,
  signal: AbortSignal,
): Promise<boolean> {
  const { users, keys, remnants } = deps;
  const { id: accountId } = account;
  const window = { limit: PAGE, beforeId: undefined };
  for (;;) {
    const found = await users.list({ accountId, window });
    for (const user of found) {
      if (signal.aborted || !(await removeUser(deps, user, walks))) return false;
    }
    if (found.length === 0) break;
  }
  for (;;) {
    const page = await keys.listUnerased(accountId, PAGE);
    for (const key of page) {
      if (signal.aborted || !(await removeKey(deps, key, walks))) return false;
    }
    if (page.length === 0) break;
  }
  const ofAccount = { field: 'accountId', value: accountId } as const;
  if (!(await everyEntry(walks, ofAccount, remnants.blankEntries))) return false;
  await remnants.forgetAnswers([accountId]);
  await remnants.removeFormerNames(account);
  return true;
}

async function removeUser(
  { users, remnants, principalLog }: ErasureJobDependencies,
  { id }: User,
  walks: EntryWalks,
): Promise<boolean> {
  await remnants.removeLoginsOf(id);
  if (!(await everyEntryOf(walks, 'actorUserId', id, remnants))) return false;
  await remnants.forgetAnswers([id]);
  await users.remove(id);
  await principalLog.append([id]);
  return true;
}

async function removeKey(
  { clock, keys, remnants, outbox }: ErasureJobDependencies,
  key: ApiKey,
  walks: EntryWalks,
): Promise<boolean> {
  const { id, lastRotationId } = key;
  if (!(await everyEntryOf(walks, 'actorKeyId', id, remnants))) return false;
  await remnants.forgetAnswers(lastRotationId === undefined ? [id] : [id, lastRotationId]);
  const erased = eraseKey(key, { id: createId('event'), atMs: clock.now(), actor: undefined });
  // Changed by somebody meanwhile, it is found again.
  if (await keys.update(erased)) await outbox.relayKey(erased);
  return true;
}

/** What a user or a key did, and what was done to it; false when the round has no page left. */
async function everyEntryOf(
  walks: EntryWalks,
  actor: 'actorUserId' | 'actorKeyId',
  id: string,
  { blankAddresses, blankEntries }: ErasureJobDependencies['remnants'],
): Promise<boolean> {
  if (!(await everyEntry(walks, { field: actor, value: id }, blankAddresses))) return false;
  if (!(await everyEntry(walks, { field: 'resourceId', value: id }, blankEntries))) return false;
  // The next user or key has walks of its own.
  walks.after.clear();
  return true;
}

/** Goes on where the round before stopped; false when this one has no page left. */
async function everyEntry(
  walks: EntryWalks,
  { field, value }: Pick<EntryPage, 'field' | 'value'>,
  blank: (page: EntryPage) => Promise<string | undefined>,
): Promise<boolean> {
  const walk = `${field}:${value}`;
  let after = walks.after.get(walk);
  while (after !== undefined || !walks.after.has(walk)) {
    if (walks.pagesLeft === 0) return false;
    walks.pagesLeft -= 1;
    after = await blank({ field, value, after });
    walks.after.set(walk, after);
  }
  return true;
}

/** The account is told of once more, because of what was written since its erasure began. */
async function finish(
  { clock, accounts, outbox, logger }: ErasureJobDependencies,
  account: Account,
): Promise<void> {
  const present = await accounts.find(account.id);
  if (present?.status !== 'erasing') return;
  const source = { id: createId('event'), atMs: clock.now(), actor: undefined };
  const erased = endErasure(present, source);
  if (!(await accounts.update(erased))) return;
  logger.info({ accountId: account.id }, 'an account is erased');
  await outbox.relayAccount(erased);
}
