import { invalid } from './app-error';

export const DISPLAY_NAME_LENGTH_MAX = 100;

/**
 * The characters that no display name has, as ranges of a regular expression's class: controls,
 * marks that turn the direction of what follows, and what takes no room. Joiners and variation
 * selectors are not among them: Persian and emoji are written with them.
 */
export const INVISIBLE_CHARACTERS =
  '\\u0000-\\u001f\\u007f-\\u009f\\u00ad\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f' +
  '\\u200b\\u200e\\u200f\\u2028-\\u202e\\u2060-\\u206f\\u3164\\ufeff\\uffa0\\ufff9-\\ufffb';

const INVISIBLE = new RegExp(`[${INVISIBLE_CHARACTERS}]`);

/**
 * The name that people give an account, a key, a channel or themselves: 1 to 100 characters after
 * trimming, none that hides or turns others. Throws VALIDATION_ERROR with the field at fault.
 */
export function parseDisplayName(param: string, text: string): string {
  const name = text.trim();
  if (name.length === 0 || name.length > DISPLAY_NAME_LENGTH_MAX || INVISIBLE.test(name)) {
    throw invalid(param, `${param} must have 1 to ${DISPLAY_NAME_LENGTH_MAX} visible characters.`);
  }
  return name;
}

const UNCLAIMED_BYTES = 12;

/**
 * An address in the place of one that a user has no right to. Nobody guesses it, so that nobody holds
 * it before, and nobody has a mailbox under this top level (RFC 2606).
 */
export function unclaimedEmail(random: (size: number) => Buffer): string {
  return `${random(UNCLAIMED_BYTES).toString('hex')}@unverified.invalid`;
}

/** A name that somebody else chose, in a form that is taken; empty where nothing is left. */
export function toDisplayName(text: string): string {
  const visible = text.replaceAll(new RegExp(INVISIBLE, 'g'), '').trim();
  return visible.slice(0, DISPLAY_NAME_LENGTH_MAX).toWellFormed();
}

/** Names by which a client lets the service choose a model. */
export const ROUTING_NAMES = ['auto', 'auto-cheap', 'auto-fast'] as const;

export type RoutingName = (typeof ROUTING_NAMES)[number];

/** Narrows text to a routing name. */
export function isRoutingName(text: string): text is RoutingName {
  return text === 'auto' || text === 'auto-cheap' || text === 'auto-fast';
}

/** A client's `POOL:NAME`: only the first colon parts a group from a name, which may have more. */
export function splitModelName(text: string): {
  /** Undefined where no group is named. */
  readonly group: string | undefined;
  readonly name: string;
} {
  const colon = text.indexOf(':');
  if (colon < 0) return { group: undefined, name: text };
  return { group: text.slice(0, colon), name: text.slice(colon + 1) };
}

/** The group of an account's own channels; no channel of the operator is in it. */
export const OWN_GROUP = 'self';

/** The group of channels that name none, which every account may use. */
export const DEFAULT_GROUP = 'default';

/** How a channel group may be named; OWN_GROUP is nobody's to give. */
export const GROUP_NAME = /^[a-z0-9][a-z0-9-]{0,63}$/;

/**
 * Endings that the catalogue refuses in a model's name: clients name families and get the
 * latest version. Vendors' own short numbers (`-001`) may stand in a name.
 */
const REFUSED_SUFFIX = /(-\d{4}-\d{2}-\d{2}|-\d{6,8}|-\d{4}|-v\d+|-latest|-preview)$/;

/** The date or the version at the end of a name, which the catalogue does not take. */
export function versionSuffixOf(name: string): string | undefined {
  return REFUSED_SUFFIX.exec(name)?.[0];
}

/**
 * Endings that a client may have put behind the name of a model that exists: those that the
 * catalogue refuses, and those of vendors alone. Taken off to find the name that was meant.
 */
const CLIENT_SUFFIX = /[-_@](?:\d{4}-\d{2}-\d{2}|\d{3,8}|v\d+(?:\.\d+)*|latest|preview)$/;

/** The name without one date or version at its end; the same name when there is none. */
export function withoutVersionSuffix(name: string): string {
  return name.replace(CLIENT_SUFFIX, '');
}

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
