import { isRoutingName, type RoutingName, withoutVersionSuffix } from '@tollgate/core';

/** A client's `model`: an optional group and either a routing or a concrete name. */
export interface ModelName {
  /** The text before the first colon; undefined when there is none. */
  readonly group: string | undefined;
  readonly name: string;
  /** Undefined for a concrete name. */
  readonly routing: RoutingName | undefined;
}

/** Splits `GROUP:NAME`; only the first colon separates, so a name may hold further ones. */
export function parseModelName(text: string): ModelName {
  const colon = text.indexOf(':');
  const group = colon < 0 ? undefined : text.slice(0, colon);
  const name = colon < 0 ? text : text.slice(colon + 1);
  return { group, name, routing: isRoutingName(name) ? name : undefined };
}

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
    const shorter = withoutVersionSuffix(stem);
    if (shorter === stem || shorter === '') return undefined;
    if (isKnown(shorter)) return shorter;
    stem = shorter;
  }
  return undefined;
}
