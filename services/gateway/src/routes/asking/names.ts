import type { identityV1 } from '@tollgate/protos';
import type { Services } from '../operation';
import { orUndefined } from './partial-answer';

type User = identityV1.User__Output;

/** The id of an actor may be of a user, an API key, or `system`. */
export function isUserId(id: string): boolean {
  return id.startsWith('usr_');
}

/** An answer has the emails of so many users; who comes after them goes by the id. */
const USERS_MAX = 10;

/** Those of the ids that are of users; one who is gone, or cannot be read now, is not among them. */
export function readUsers(
  ids: readonly string[],
  { identity }: Pick<Services, 'identity'>,
): Promise<ReadonlyMap<string, User>> {
  const read = async (userId: string) => (await identity.getUser({ userId })).user;
  return readEach(ids.filter(isUserId), USERS_MAX, read);
}

/** The names of the first of these accounts; one that cannot be read now is not among them. */
export async function readAccountNames(
  accountIds: readonly string[],
  countMax: number,
  { identity }: Pick<Services, 'identity'>,
): Promise<ReadonlyMap<string, string>> {
  const read = async (accountId: string) => (await identity.getAccount({ accountId })).account;
  const accounts = await readEach(accountIds, countMax, read);
  return new Map([...accounts].map(([id, { name }]) => [id, name]));
}

async function readEach<Found extends object>(
  ids: readonly string[],
  countMax: number,
  read: (id: string) => Promise<Found | null>,
): Promise<ReadonlyMap<string, Found>> {
  const reads = [...new Set(ids)].slice(0, countMax).map(async (id) => {
    const found = await orUndefined(() => read(id));
    return found ? [[id, found] as const] : [];
  });
  return new Map((await Promise.all(reads)).flat());
}
