/** Names by which a client lets the service choose a model. */
export const ROUTING_NAMES = ['auto', 'auto-cheap', 'auto-fast'] as const;

export type RoutingName = (typeof ROUTING_NAMES)[number];

/** Narrows text to a routing name. */
export function isRoutingName(text: string): text is RoutingName {
  return (ROUTING_NAMES as readonly string[]).includes(text);
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
