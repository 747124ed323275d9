import { createBoundedMap } from '@tollgate/core';
import { forEachFound, isolateOne, type PageStart } from '@tollgate/jobs';
import { type Account, endErasure } from '../domain/account';
import { type ApiKey, eraseKey } from '../domain/api-key';
import { changeBy } from '../domain/events';
import type { EntryPage } from '../domain/ports';
import type { User } from '../domain/user';
import type { Dependencies } from './dependencies';

type FinishErasureDependencies = Pick<
  Dependencies,
  'clock' | 'logger' | 'accounts' | 'users' | 'keys' | 'remnants' | 'principalLog' | 'relay'
>;

/** Accounts, users or keys that are read at once, and accounts that are worked with side by side. */
const PAGE = 100;
const ACCOUNTS_AT_ONCE = 4;
/**
 * A gateway may have admitted a request just before it heard of the erasure, and that request may
 * still write. No such request takes longer than this.
 */
const FINAL_AFTER_MS = 60_000;
const REMEMBERED_MAX = 10_000;
/** Pages of entries of an account in a round: accounts erased later do not wait for all of its. */
const ENTRY_PAGES_MAX = 100;

/**
 * Goes on with every account that is being erased; one that fails keeps back no other. A
 * round answers NOTHING_FOUND when no account is being erased.
 */
export function createFinishErasures(deps: FinishErasureDependencies) {
  const { accounts, logger } = deps;
  const finishErasure = createFinishErasure(deps);
  return async (signal: AbortSignal): Promise<unknown> => {
    const listErasing = ({ after, limit }: PageStart<Account>) =>
      accounts.listErasing({ after: after?.id, limit });
    const bounds = { pageSize: PAGE, atOnceMax: ACCOUNTS_AT_ONCE, signal };
    return forEachFound(listErasing, bounds, (account) =>
      isolateOne(
        () => finishErasure(account, signal),
        (error) => {
          const { id: accountId } = account;
          logger.error({ accountId, error }, 'an account cannot be erased; others are');
        },
      ),
    );
  };
}

/**
 * Removes the users of an erased account, their logins, their keys' names and digests, and what the
 * audit log says of them. Every step may be done again and leaves less to do, and a user's record
 * goes after all that is found by it: so a process that dies anywhere goes on at its next start.
 *
 * It is done in two passes, each of as many rounds as it takes:
 *
 *     erasure begins          FINAL_AFTER_MS later
 *     | first pass            | final pass, then the account is `erased`
 *
 * The first pass is there so that nothing personal stays for longer than it must. The final one
 * removes what requests from before the erasure wrote since.
 */
function createFinishErasure(deps: FinishErasureDependencies) {
  const { clock } = deps;
  // Both by id; an account that a restart forgets has another first pass.
  const hadFirstPass = createBoundedMap<string, true>(REMEMBERED_MAX);
  const begunPasses = createBoundedMap<string, Pass>(REMEMBERED_MAX);

  return async (account: Account, signal: AbortSignal): Promise<void> => {
    // An erasing account changes no more: `updatedAt` is when its erasure began.
    const isFinal = account.updatedAt + FINAL_AFTER_MS <= clock.now();
    if (!isFinal && hadFirstPass.get(account.id) !== undefined) return;
    const begun = begunPasses.get(account.id);
    // A first pass that takes too long is given up: the final one begins at the beginning.
    const after = begun?.isFinal === isFinal ? begun.after : new Map();
    const pass = { isFinal, after, pagesLeft: ENTRY_PAGES_MAX };
    begunPasses.set(account.id, pass);
    if (!(await removePersonal(deps, account, pass, signal))) return;
    begunPasses.delete(account.id);
    hadFirstPass.set(account.id, true);
    if (isFinal) await finish(deps, account);
  };
}

/** How far the entries of an account, of one of its users and of one of its keys were emptied. */
interface Pass {
  readonly isFinal: boolean;
  /** For each list of entries the id to go on after; undefined when the list is at its end. */
  readonly after: Map<string, string | undefined>;
  /** Of this round. */
  pagesLeft: number;
}

/** False when something is left for the next round. */
async function removePersonal(
  deps: FinishErasureDependencies,
  account: Account,
  pass: Pass,
  signal: AbortSignal,
): Promise<boolean> {
  const { users, keys, remnants } = deps;
  const { id: accountId } = account;
  const window = { limit: PAGE, beforeId: undefined };
  for (;;) {
    const found = await users.list({ accountId, window });
    for (const user of found) {
      if (signal.aborted || !(await removeUser(deps, user, pass))) return false;
    }
    if (found.length === 0) break;
  }
  for (;;) {
    const page = await keys.listUnerased(accountId, PAGE);
    for (const key of page) {
      if (signal.aborted || !(await removeKey(deps, key, pass))) return false;
    }
    if (page.length === 0) break;
  }
  const ofAccount = { field: 'accountId', value: accountId } as const;
  if (!(await everyEntry(pass, ofAccount, remnants.blankEntries))) return false;
  await remnants.forgetAnswers([accountId]);
  await remnants.removeFormerNames(account);
  return true;
}

async function removeUser(
  { users, remnants, principalLog }: FinishErasureDependencies,
  { id }: User,
  pass: Pass,
): Promise<boolean> {
  await remnants.removeLoginsOf(id);
  if (!(await everyEntryOf(pass, 'actorUserId', id, remnants))) return false;
  await remnants.forgetAnswers([id]);
  await users.remove(id);
  await principalLog.append([id]);
  return true;
}

async function removeKey(
  { clock, keys, remnants, relay }: FinishErasureDependencies,
  key: ApiKey,
  pass: Pass,
): Promise<boolean> {
  const { id, lastRotationId } = key;
  if (!(await everyEntryOf(pass, 'actorKeyId', id, remnants))) return false;
  await remnants.forgetAnswers(lastRotationId === undefined ? [id] : [id, lastRotationId]);
  const erased = eraseKey(key, changeBy(undefined, clock.now()));
  // Changed by somebody meanwhile, it is found again.
  if (await keys.update(erased)) await relay.relayKey(erased);
  return true;
}

/** What a user or a key did, and what was done to it; false when the round has no page left. */
async function everyEntryOf(
  pass: Pass,
  actor: 'actorUserId' | 'actorKeyId',
  id: string,
  { blankAddresses, blankEntries }: FinishErasureDependencies['remnants'],
): Promise<boolean> {
  if (!(await everyEntry(pass, { field: actor, value: id }, blankAddresses))) return false;
  if (!(await everyEntry(pass, { field: 'resourceId', value: id }, blankEntries))) return false;
  // The next user or key has lists of its own.
  pass.after.clear();
  return true;
}

/** Goes on where the round before stopped; false when this one has no page left. */
async function everyEntry(
  pass: Pass,
  { field, value }: Pick<EntryPage, 'field' | 'value'>,
  blank: (page: EntryPage) => Promise<string | undefined>,
): Promise<boolean> {
  const list = `${field}:${value}`;
  let after = pass.after.get(list);
  while (after !== undefined || !pass.after.has(list)) {
    if (pass.pagesLeft === 0) return false;
    pass.pagesLeft -= 1;
    after = await blank({ field, value, after });
    pass.after.set(list, after);
  }
  return true;
}

/** The account is told of once more, because of what was written since its erasure began. */
async function finish(
  { clock, accounts, relay, logger }: FinishErasureDependencies,
  account: Account,
): Promise<void> {
  const present = await accounts.find(account.id);
  if (present?.status !== 'erasing') return;
  const erased = endErasure(present, changeBy(undefined, clock.now()));
  if (!(await accounts.update(erased))) return;
  logger.info({ accountId: account.id }, 'an account is erased');
  await relay.relayAccount(erased);
}
