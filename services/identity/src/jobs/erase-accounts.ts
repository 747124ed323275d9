import { createBoundedMap, createId, isPassing } from '@tollgate/core';
import { eachAtOnce, NOTHING_FOUND } from '@tollgate/jobs';
import { type Account, endErasure } from '../domain/account';
import { type ApiKey, eraseKey } from '../domain/api-key';
import type { EntryPage } from '../domain/ports';
import type { User } from '../domain/user';
import type { Dependencies } from '../operations/dependencies';

type ErasureJobDependencies = Pick<
  Dependencies,
  'clock' | 'logger' | 'accounts' | 'users' | 'keys' | 'erasures' | 'principalLog' | 'outbox'
>;

/** Accounts, people or keys that are read at once. */
const PAGE = 100;
/**
 * A gateway may have admitted a request just before it heard of the erasure, and that request may
 * still write: longer than any such request takes. Only what is found after that time is the end.
 */
const FINAL_AFTER_MS = 60_000;
const GONE_THROUGH_MAX = 10_000;
/** One with very many entries keeps the others waiting only while four such are under way. */
const ACCOUNTS_AT_ONCE = 4;

/**
 * Removes the people of erased accounts, their logins, their keys' names and digests, and what the
 * audit log says of them. Every step may be done again and leaves less to do, and a person's record
 * goes after all that is found by it: so a process that dies anywhere goes on at its next start.
 * Only the leader runs it; a round answers NOTHING_FOUND when no account is being erased.
 */
export function createEraseAccounts(deps: ErasureJobDependencies) {
  const { accounts, clock, logger } = deps;
  // By id; an account that a restart forgets is gone through again.
  const goneThrough = createBoundedMap<string, true>(GONE_THROUGH_MAX);

  const eraseOne = async (account: Account, signal: AbortSignal): Promise<void> => {
    // An erasing account changes no more: `updatedAt` is when it began.
    const isFinal = account.updatedAt + FINAL_AFTER_MS <= clock.now();
    if (!isFinal && goneThrough.get(account.id) !== undefined) return;
    await removePersonal(deps, account, signal);
    if (signal.aborted) return;
    goneThrough.set(account.id, true);
    if (isFinal) await finish(deps, account);
  };

  return async (signal: AbortSignal): Promise<unknown> => {
    let page: readonly Account[];
    let after: string | undefined;
    let found = 0;
    do {
      page = await accounts.listErasing({ after, limit: PAGE });
      await eachAtOnce(page, { atOnceMax: ACCOUNTS_AT_ONCE, signal }, async (account) => {
        try {
          await eraseOne(account, signal);
        } catch (error) {
          if (isPassing(error)) throw error;
          logger.error({ accountId: account.id, error }, 'an account cannot be erased; others are');
        }
      });
      if (signal.aborted) return undefined;
      found += page.length;
      after = page.at(-1)?.id;
    } while (page.length === PAGE);
    return found === 0 ? NOTHING_FOUND : undefined;
  };
}

async function removePersonal(
  deps: ErasureJobDependencies,
  account: Account,
  signal: AbortSignal,
): Promise<void> {
  const { users, keys, erasures } = deps;
  const { id: accountId } = account;
  const window = { limit: PAGE, beforeId: undefined };
  for (;;) {
    const people = await users.list({ accountId, window });
    for (const person of people) {
      if (signal.aborted) return;
      await removePerson(deps, person);
    }
    if (people.length === 0) break;
  }
  for (;;) {
    const page = await keys.listUnerased(accountId, PAGE);
    for (const key of page) {
      if (signal.aborted) return;
      await removeKey(deps, key);
    }
    if (page.length === 0) break;
  }
  await everyEntry({ member: 'accountId', value: accountId }, erasures.blankEntries);
  await erasures.forgetAnswers([accountId]);
  await erasures.removeFormerNames(account);
}

async function removePerson(
  { users, erasures, principalLog }: ErasureJobDependencies,
  { id }: User,
): Promise<void> {
  await erasures.removeLoginsOf(id);
  await everyEntry({ member: 'actorUserId', value: id }, erasures.blankAddresses);
  await everyEntry({ member: 'resourceId', value: id }, erasures.blankEntries);
  await erasures.forgetAnswers([id]);
  await users.remove(id);
  await principalLog.append([id]);
}

async function removeKey(
  { clock, keys, erasures, outbox }: ErasureJobDependencies,
  key: ApiKey,
): Promise<void> {
  const { id, lastRotationId } = key;
  await everyEntry({ member: 'actorKeyId', value: id }, erasures.blankAddresses);
  await everyEntry({ member: 'resourceId', value: id }, erasures.blankEntries);
  await erasures.forgetAnswers(lastRotationId === undefined ? [id] : [id, lastRotationId]);
  const erased = eraseKey(key, { id: createId('event'), at: clock.now(), actor: undefined });
  // Changed by somebody meanwhile, it is found again.
  if (await keys.update(erased)) await outbox.relayKey(erased);
}

/** Entries come in pages, however many there are. */
async function everyEntry(
  entries: Pick<EntryPage, 'member' | 'value'>,
  blank: (page: EntryPage) => Promise<string | undefined>,
): Promise<void> {
  let after: string | undefined;
  do after = await blank({ ...entries, after });
  while (after !== undefined);
}

/** The account is told of once more, because of what was written since its erasure began. */
async function finish(
  { clock, accounts, outbox, logger }: ErasureJobDependencies,
  account: Account,
): Promise<void> {
  const present = await accounts.find(account.id);
  if (present?.status !== 'erasing') return;
  const source = { id: createId('event'), at: clock.now(), actorUserId: '' };
  const erased = endErasure(present, source);
  if (!(await accounts.update(erased))) return;
  logger.info({ accountId: account.id }, 'an account is erased');
  await outbox.relayAccount(erased);
}
