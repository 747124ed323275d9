import type { ApiKey } from '../../api/schemas';
import { toNano } from '../../format/money';
import { describeKeyStatus } from './describe-key';

/** Narrows and orders a list of keys; without an order they stay in that of their making. */
interface KeyFilter {
  readonly name: string | undefined;
  readonly status: string | undefined;
  readonly sort: string | undefined;
}

type Listed = Pick<ApiKey, 'name' | 'status' | 'spend' | 'last_used_at' | 'max_budget'>;

export function fitsKey(key: Listed, { name, status }: KeyFilter): boolean {
  const isNamed = key.name.toLowerCase().includes((name ?? '').trim().toLowerCase());
  return isNamed && (status === undefined || describeKeyStatus(key).label === status);
}

export function orderKeys<Key extends Listed>(
  keys: readonly Key[],
  sort: string | undefined,
): readonly Key[] {
  if (sort === 'used') {
    return [...keys].sort((a, b) => (b.last_used_at ?? '').localeCompare(a.last_used_at ?? ''));
  }
  if (sort === 'spend') {
    return [...keys].sort((a, b) => Number(toNano(b.spend ?? '0') - toNano(a.spend ?? '0')));
  }
  return keys;
}
