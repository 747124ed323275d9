import { AppError, invalidCursor, isId, nearestListed, type PageWindow } from '@tollgate/core';
import type { UserStore } from '../domain/ports';
import { emailKeyOf, type User } from '../domain/user';

type IdKind = Parameters<typeof isId>[0];

interface FoundById<Item> {
  find(id: string): Promise<Item | undefined>;
}

/** Asks no store for a text that is no id of the kind. */
export async function findById<Item>(
  kind: IdKind,
  store: FoundById<Item>,
  id: string,
): Promise<Item | undefined> {
  return isId(kind, id) ? store.find(id) : undefined;
}

/** Rejects with NOT_FOUND for an id that nobody has. */
export async function requireById<Item>(
  kind: IdKind,
  store: FoundById<Item>,
  id: string,
): Promise<Item> {
  const found = await findById(kind, store, id);
  if (found === undefined) throw new AppError('NOT_FOUND');
  return found;
}

/** By id or by email: who lost a password tells the email. Rejects with NOT_FOUND. */
export async function requireNamedUser(
  users: Pick<UserStore, 'find' | 'findByEmail' | 'list' | 'searchByEmail'>,
  asked: string,
): Promise<User> {
  const named = asked.trim();
  const byEmail = named.includes('@');
  const user = byEmail ? await users.findByEmail(emailKeyOf(named)) : undefined;
  if (user !== undefined) return user;
  if (isId('user', named)) return requireById('user', users, named);
  if (!byEmail) {
    throw new AppError('NOT_FOUND', { publicMessage: 'That is no email and no id of a user.' });
  }
  const meant = await findNearestEmail(users, emailKeyOf(named));
  const hint = meant === undefined ? '' : ` Did you mean ${meant}?`;
  throw new AppError('NOT_FOUND', { publicMessage: `There is no user of this email.${hint}` });
}

const LIKE_MAX = 200;

/** Told to operators alone: it says who is there. */
function findNearestEmail(
  users: Pick<UserStore, 'list' | 'searchByEmail'>,
  email: string,
): Promise<string | undefined> {
  const newest = { window: { limit: LIKE_MAX, beforeId: undefined } };
  return nearestListed(email, async (prefix) => {
    const search = { prefix, after: undefined, limit: LIKE_MAX };
    const like = await (prefix === '' ? users.list(newest) : users.searchByEmail(search));
    return like.map((user) => user.email);
  });
}

/** The last item of the page before, whose text says where the next page begins. */
export async function itemBeforePage<Item>(
  store: FoundById<Item>,
  { beforeId }: Pick<PageWindow, 'beforeId'>,
): Promise<Item | undefined> {
  if (beforeId === undefined) return undefined;
  const last = await store.find(beforeId);
  if (last === undefined) throw invalidCursor();
  return last;
}
