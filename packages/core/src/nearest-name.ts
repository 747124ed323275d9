/** Longer names are nobody's typing error, and comparing them would cost. */
const LENGTH_MAX = 100;

/**
 * The known name that was probably meant; undefined when none is near. A third of the name may
 * differ, unless said otherwise: beyond that a hint would be a guess.
 */
export function nearestName(
  name: string,
  known: Iterable<string>,
  differingMax = Math.floor(name.length / 3),
): string | undefined {
  if (name.length > LENGTH_MAX) return undefined;
  let bestDistance = differingMax + 1;
  let best: string | undefined;
  for (const candidate of known) {
    const distance = editDistance(name, candidate);
    if (distance < bestDistance) {
      bestDistance = distance;
      best = candidate;
    }
  }
  return best;
}

/**
 * A mistyped name is compared with those that share its first three letters, then its first one, and
 * last with any.
 */
const SAME_FIRST_LETTERS = [3, 1, 0];
/** With more wrong letters than these it is another name. */
const WRONG_LETTERS_MAX = 2;

/**
 * The email or name that a mistyped one probably means, of more than can be listed. `listLike` has
 * some of those that begin so; for the empty text they may be any, such as the newest.
 */
export async function nearestListed(
  name: string,
  listLike: (prefix: string) => Promise<readonly string[]>,
): Promise<string | undefined> {
  for (const length of SAME_FIRST_LETTERS) {
    const meant = nearestName(name, await listLike(name.slice(0, length)), WRONG_LETTERS_MAX);
    if (meant !== undefined) return meant;
  }
  return undefined;
}

/** Levenshtein's distance: single characters inserted, removed or replaced. */
function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const replaced = (previous[column - 1] ?? 0) + (a[row - 1] === b[column - 1] ? 0 : 1);
      const removed = (previous[column] ?? 0) + 1;
      const inserted = (current[column - 1] ?? 0) + 1;
      current.push(Math.min(replaced, removed, inserted));
    }
    previous = current;
  }
  return previous[b.length] ?? 0;
}
