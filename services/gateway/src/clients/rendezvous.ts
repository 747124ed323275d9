/** FNV-1a with a final mix, so that names that differ in one character spread evenly. */
function hash32(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/**
 * The members in the order in which `key` prefers them. Every gateway computes the same order, and
 * a member that comes or goes moves only the keys that it wins or held.
 */
export function rankByRendezvous<Member extends { readonly address: string }>(
  members: readonly Member[],
  key: string,
): readonly Member[] {
  if (members.length < 2) return members;
  return members
    .map((member) => ({ member, weight: hash32(`${member.address}|${key}`) }))
    .sort((a, b) => b.weight - a.weight)
    .map(({ member }) => member);
}
