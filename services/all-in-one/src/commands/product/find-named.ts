import { nearestListed, nearestName, PAGE_SIZE_MAX } from '@tollgate/core';
import { type Listed, listAll, type Page, type Product } from '../product-client';
import type { DescribedChannel } from './describe-channel';

export interface Channel extends Listed, DescribedChannel {
  readonly name: string;
  readonly type: string;
}

export function listChannels(product: Product): Promise<readonly Channel[]> {
  return listAll<Channel>(product, `/v1/admin/channels?limit=${PAGE_SIZE_MAX}`);
}

/** By the whole email, in upper or lower case; spaces around it are ignored. */
export async function findUser(product: Product, named: string): Promise<Listed> {
  const email = named.trim();
  const items = await searchUsers(product, email);
  const found = items.find((user) => user.email?.toLowerCase() === email.toLowerCase());
  if (found !== undefined) return found;
  const meant = await nearestListed(email.toLowerCase(), async (prefix) => {
    const like = await searchUsers(product, prefix);
    return like.flatMap((user) => user.email?.toLowerCase() ?? []);
  });
  const hint = meant === undefined ? '' : `; did you mean ${meant}?`;
  throw new Error(`there is no user of the email ${email}${hint}`);
}

/** A user by email or id. */
export async function findUserId(product: Product, named: string): Promise<string> {
  if (named.includes('@')) return (await findUser(product, named)).id;
  const id = named.trim();
  if (id.startsWith('usr_')) return id;
  throw new Error(
    `${id} is no email and no id of a user: tollgate user list --email ${id} has those whose email ` +
      'begins so, and with --account those of an account',
  );
}

/** Users whose email begins so; the newest for the empty text. */
async function searchUsers(product: Product, prefix: string): Promise<readonly Listed[]> {
  const search = prefix === '' ? '' : `&email=${encodeURIComponent(prefix)}`;
  return ((await product.ask(`/v1/admin/users?limit=${PAGE_SIZE_MAX}${search}`)) as Page).items;
}

/**
 * The id of the account that a person at the telephone can name: by its id or name, or the email or
 * id of one of its users. A part of a name is never taken for the whole: the error says what is like
 * it.
 */
export async function findAccount(product: Product, asked: string): Promise<string> {
  const named = asked.trim();
  if (named.startsWith('acc_')) return named;
  if (named.includes('@')) return (await findUser(product, named)).account_id ?? '';
  if (named.startsWith('usr_')) {
    return (
      ((await product.ask(`/v1/admin/users/${encodeURIComponent(named)}`)) as Listed).account_id ??
      ''
    );
  }
  const items = await searchAccounts(product, named);
  const like = items.length > 0 ? items : await guessAccounts(product, named);
  const picked = pick(named, items, like);
  if ('only' in picked) return picked.only.id;
  const meant = await Promise.all(picked.maybe.map((account) => tellApart(product, account)));
  throw picked.isExact ? notAlone(named, meant) : notThere('account', named, meant);
}

async function searchAccounts(product: Product, prefix: string): Promise<readonly Listed[]> {
  const search = prefix === '' ? '' : `&name=${encodeURIComponent(prefix)}`;
  return ((await product.ask(`/v1/admin/accounts?limit=${PAGE_SIZE_MAX}${search}`)) as Page).items;
}

/** Accounts of the nearest name that there is. */
async function guessAccounts(product: Product, named: string): Promise<readonly Listed[]> {
  const meant = await nearestListed(named.toLowerCase(), async (prefix) => {
    const like = await searchAccounts(product, prefix);
    return like.flatMap(({ name }) => name?.toLowerCase() ?? []);
  });
  if (meant === undefined) return [];
  const like = await searchAccounts(product, meant);
  return like.filter(({ name }) => name?.toLowerCase() === meant);
}

/** Accounts of one name are told apart by their owners. */
async function tellApart(product: Product, { id, name }: Listed): Promise<string> {
  const members = product.ask(
    `/v1/admin/accounts/${encodeURIComponent(id)}/members?limit=${PAGE_SIZE_MAX}`,
  ) as Promise<Page>;
  const items = await members.then(
    (page) => page.items,
    () => [],
  );
  const email = items.find(({ role }) => role === 'owner')?.email;
  return `${id} ("${name}"${email === undefined ? '' : `, owned by ${email}`})`;
}

/** By its id or name; its vendor and parts of its name are what may be meant. */
export async function findChannel(product: Product, named: string): Promise<Channel> {
  const channels = await listChannels(product);
  const part = named.toLowerCase();
  const like = channels.filter(({ name, type }) =>
    [name.toLowerCase(), type].some((text) => text.includes(part)),
  );
  const names = channels.map(({ name }) => name.toLowerCase());
  const near = nearestName(part, names, Math.max(2, Math.floor(part.length / 3)));
  const nearest = channels.filter(({ name }) => name.toLowerCase() === near);
  const picked = pick(named, channels, like.length > 0 ? like : nearest);
  if ('only' in picked) return picked.only;
  const meant = picked.maybe.map(({ id, name }) => `${id} ("${name}")`);
  throw picked.isExact ? notAlone(named, meant) : notThere('channel', named, meant);
}

const LIKE_MAX = 10;

type Picked<Item> =
  | { readonly only: Item }
  /** Several of the very name, or what is like it: what may have been meant. */
  | { readonly isExact: boolean; readonly maybe: readonly Item[] };

function pick<Item extends Listed>(
  named: string,
  items: readonly Item[],
  like: readonly Item[],
): Picked<Item> {
  const exact = items.filter(
    ({ id, name }) => id === named || name?.toLowerCase() === named.toLowerCase(),
  );
  const [only, ...more] = exact;
  if (only !== undefined && more.length === 0) return { only };
  const isExact = exact.length > 0;
  return { isExact, maybe: (isExact ? exact : like).slice(0, LIKE_MAX) };
}

function notAlone(named: string, meant: readonly string[]): Error {
  return new Error(`${named} may be one of: ${meant.join(', ')}`);
}

function notThere(kind: string, named: string, meant: readonly string[]): Error {
  const hint =
    meant.length === 0
      ? `: tollgate ${kind} list has all`
      : `; did you mean ${meant.join(' or ')}?`;
  return new Error(`there is no ${kind} of the id or name ${named}${hint}`);
}

const NAMES_MAX = 10;

/** The names of the channels that a line speaks of; one that is gone goes by its id. */
export async function readChannelNames(
  product: Product,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const read = [...new Set(ids)].slice(0, NAMES_MAX).map(async (id) => {
    const { name = id } = (await product.ask(
      `/v1/admin/channels/${encodeURIComponent(id)}`,
    )) as Listed;
    return [id, name] as const;
  });
  const settled = await Promise.allSettled(read);
  return new Map(settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : [])));
}
