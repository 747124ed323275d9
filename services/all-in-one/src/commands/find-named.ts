import { nearestName } from '@tollgate/core';
import type { Product } from './ask-product';
import type { DescribedChannel } from './describe-channel';

/** One of a list, as far as commands look at it. */
export interface Listed {
  readonly id: string;
  readonly name?: string;
  readonly email?: string;
  readonly account_id?: string;
  readonly client_request_id?: string | null;
}

export interface Page {
  readonly items: readonly Listed[];
  readonly next_cursor: string | null;
}

export interface Channel extends Listed, DescribedChannel {
  readonly name: string;
  readonly type: string;
}

/** For one segment of a path. */
export function path(text: string | undefined): string {
  return encodeURIComponent(text ?? '');
}

/** Every page of a list. */
export async function listAll(product: Product, first: string): Promise<readonly Listed[]> {
  const items: Listed[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const from = cursor === '' ? '' : `&cursor=${path(cursor)}`;
    const page = (await product.ask(`${first}${from}`)) as Page;
    items.push(...page.items);
    cursor = page.next_cursor;
  }
  return items;
}

export async function listChannels(product: Product): Promise<readonly Channel[]> {
  return (await listAll(product, '/v1/admin/channels?limit=200')) as Channel[];
}

export async function findUser(product: Product, email: string): Promise<Listed> {
  const { items } = (await product.ask(`/v1/admin/users?limit=200&email=${path(email)}`)) as Page;
  const found = items.find((user) => user.email?.toLowerCase() === email.toLowerCase());
  if (found === undefined) throw new Error(`there is no user of the email ${email}`);
  return found;
}

/**
 * The id of the account that a person at the telephone can name: by its id or name, or the email or
 * id of one of its users. A part of a name is never taken for the whole: the error says what is like
 * it.
 */
export async function findAccount(product: Product, named: string): Promise<string> {
  if (named.startsWith('acc_')) return named;
  if (named.includes('@')) return (await findUser(product, named)).account_id ?? '';
  if (named.startsWith('usr_')) {
    return ((await product.ask(`/v1/admin/users/${path(named)}`)) as Listed).account_id ?? '';
  }
  const search = `/v1/admin/accounts?limit=200&name=${path(named)}`;
  const { items } = (await product.ask(search)) as Page;
  return pick('account', named, items, items).id;
}

/** By its id or name; its vendor and parts of its name are what may be meant. */
export async function findChannel(product: Product, named: string): Promise<Channel> {
  const channels = await listChannels(product);
  const part = named.toLowerCase();
  const like = channels.filter(({ name, type }) =>
    [name.toLowerCase(), type].some((text) => text.includes(part)),
  );
  if (like.length > 0) return pick('channel', named, channels, like);
  const names = channels.map(({ name }) => name.toLowerCase());
  const near = nearestName(part, names, Math.max(2, Math.floor(part.length / 3)));
  const meant = channels.filter(({ name }) => name.toLowerCase() === near);
  return pick('channel', named, channels, meant);
}

const LIKE_MAX = 10;

function pick<Item extends Listed>(
  kind: string,
  named: string,
  items: readonly Item[],
  like: readonly Item[],
): Item {
  const exact = items.filter(
    ({ id, name }) => id === named || name?.toLowerCase() === named.toLowerCase(),
  );
  const [only, ...more] = exact;
  if (only !== undefined && more.length === 0) return only;
  const ids = (exact.length > 0 ? exact : like)
    .slice(0, LIKE_MAX)
    .map(({ id, name }) => `${id} ("${name}")`);
  if (exact.length > 0) throw new Error(`${named} may be one of: ${ids.join(', ')}`);
  const meant = ids.length === 0 ? '' : `; did you mean ${ids.join(' or ')}?`;
  throw new Error(`there is no ${kind} of the id or name ${named}${meant}`);
}
