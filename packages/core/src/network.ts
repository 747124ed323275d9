const GROUPS = 8;
const NETWORK_GROUPS = 4;

/**
 * Whose an address is, as far as guesses and requests are counted: an IPv6 client chooses among 2^64
 * addresses freely, so that its /64 is what identifies it. Login attempts are stored by it.
 */
export function networkOf(address: string): string {
  if (!address.includes(':') || address.includes('.')) return address;
  const [head = '', tail] = address.toLowerCase().split('::');
  const left = groupsOf(head);
  const right = groupsOf(tail ?? '');
  const gap = tail === undefined ? 0 : Math.max(0, GROUPS - left.length - right.length);
  const groups = [...left, ...Array<string>(gap).fill('0'), ...right];
  return groups
    .slice(0, NETWORK_GROUPS)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':');
}

function groupsOf(text: string): readonly string[] {
  return text === '' ? [] : text.split(':');
}
