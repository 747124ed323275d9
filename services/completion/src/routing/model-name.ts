/** Names that let the service choose a model. */
export type RoutingName = 'auto' | 'auto-cheap' | 'auto-fast';

/** What a client wrote in `model`: an optional group and either a routing or a concrete name. */
export interface ModelName {
  /** The text before the first colon; undefined when there is none. */
  readonly group: string | undefined;
  readonly name: string;
  /** Undefined for a concrete name. */
  readonly routing: RoutingName | undefined;
}

/** The group of the account's own channels. */
export const OWN_GROUP = 'self';

/** Narrows text to a routing name. */
function isRoutingName(text: string): text is RoutingName {
  return text === 'auto' || text === 'auto-cheap' || text === 'auto-fast';
}

/** Splits `GROUP:NAME`; only the first colon separates, so a name may hold further ones. */
export function parseModelName(text: string): ModelName {
  const colon = text.indexOf(':');
  const group = colon < 0 ? undefined : text.slice(0, colon);
  const name = colon < 0 ? text : text.slice(colon + 1);
  return { group, name, routing: isRoutingName(name) ? name : undefined };
}

// Dates (2026-01-31, 20260131), month stamps (0613, 001) and versions (v2, v1.5), plus "latest".
const SUFFIX = /[-_@](?:\d{4}-\d{2}-\d{2}|\d{3,8}|v\d+(?:\.\d+)*|latest)$/;
const SUFFIXES_MAX = 3;

/**
 * The known model that `name` is a dated or versioned form of, or undefined. Clients must name the
 * stem: the service always uses the latest version of it.
 */
export function findVersionStem(
  name: string,
  isKnown: (stem: string) => boolean,
): string | undefined {
  let stem = name;
  for (let round = 0; round < SUFFIXES_MAX; round += 1) {
    const shorter = stem.replace(SUFFIX, '');
    if (shorter === stem || shorter === '') return undefined;
    if (isKnown(shorter)) return shorter;
    stem = shorter;
  }
  return undefined;
}
