import { hashText } from '@tollgate/core';

/**
 * The instances in the order in which `key` prefers them. Every gateway computes the same order,
 * and an instance that comes or goes moves only the keys that it wins or held.
 */
export function rankByRendezvous<Addressed extends { readonly address: string }>(
  instances: readonly Addressed[],
  key: string,
): readonly Addressed[] {
  if (instances.length < 2) return instances;
  return instances
    .map((instance) => ({ instance, weight: hash32(`${instance.address}|${key}`) }))
    .sort((a, b) => b.weight - a.weight)
    .map(({ instance }) => instance);
}

/** FNV-1a with a final mix, so that names that differ in one character spread evenly. */
function hash32(text: string): number {
  let hash = hashText(text);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
