import { nearestName } from '@tollgate/core';
import { type Environment, isServiceLinkValue } from './environment';

/** A variable with our prefix that nothing reads. */
export interface UnknownName {
  readonly name: string;
  /** The known name it was probably meant to be. */
  readonly suggestion: string | undefined;
}

const PREFIX = 'TOLLGATE_';
/** What the documentation has a client's shell export; such a shell may start the product. */
const CLIENT_NAMES = ['TOLLGATE_API_KEY', 'TOLLGATE_URL'];
/** Read by test suites, never by the product. */
const TEST_PREFIX = 'TOLLGATE_TEST_';
/** Kubernetes injects these for each Service; the value tells `_PORT` apart from our own names. */
const SERVICE_LINKS = [
  /_SERVICE_HOST$/,
  /_SERVICE_PORT(_[A-Z0-9_]+)?$/,
  /_PORT_\d+_(TCP|UDP|SCTP)(_(ADDR|PORT|PROTO))?$/,
];

/** The `TOLLGATE_*` names that are set and that no setting reads, in alphabetical order. */
export function findUnknownNames(
  environment: Environment,
  knownNames: Iterable<string>,
): readonly UnknownName[] {
  const known = new Set(knownNames);
  const ours = [...known].filter((name) => name.startsWith(PREFIX));
  return Object.entries(environment)
    .filter(([name, value]) => isCandidate(name, value ?? '') && !known.has(name))
    .map(([name]) => ({
      name,
      // A third of the part after the prefix may differ.
      suggestion: nearestName(name, ours, Math.floor((name.length - PREFIX.length) / 3)),
    }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** `TOLLGATE_HTPT_PORT is not a known name; did you mean TOLLGATE_HTTP_PORT?` */
export function describeUnknownName({ name, suggestion }: UnknownName): string {
  const hint = suggestion === undefined ? '' : `; did you mean ${suggestion}?`;
  return `${name} is not a known name${hint}`;
}

function isCandidate(name: string, value: string): boolean {
  if (!name.startsWith(PREFIX) || name.startsWith(TEST_PREFIX)) return false;
  if (CLIENT_NAMES.includes(name)) return false;
  return !isServiceLinkValue(name, value) && !SERVICE_LINKS.some((link) => link.test(name));
}
