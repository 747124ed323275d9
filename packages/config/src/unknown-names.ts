import { type Environment, isServiceLinkValue } from './environment';

/** A variable with our prefix that nothing reads. */
export interface UnknownName {
  readonly name: string;
  /** The known name it was probably meant to be. */
  readonly suggestion: string | undefined;
}

const PREFIX = 'TOLLGATE_';
/** What the documentation calls a client's key; a shell that has it may also start the product. */
const CLIENT_NAMES = ['TOLLGATE_API_KEY'];
/** Read by test suites, never by the product. */
const TEST_PREFIX = 'TOLLGATE_TEST_';
/** What Kubernetes injects for each Service; the value tells `_PORT` apart from our own names. */
const SERVICE_LINKS = [
  /_SERVICE_HOST$/,
  /_SERVICE_PORT(_[A-Z0-9_]+)?$/,
  /_PORT_\d+_(TCP|UDP|SCTP)(_(ADDR|PORT|PROTO))?$/,
];

/** The `TOLLGATE_*` names that are set and that no key reads, in alphabetical order. */
export function findUnknownNames(
  environment: Environment,
  knownNames: Iterable<string>,
): readonly UnknownName[] {
  const known = new Set(knownNames);
  return Object.entries(environment)
    .filter(([name, value]) => isCandidate(name, value ?? '') && !known.has(name))
    .map(([name]) => ({ name, suggestion: nearest(name, known) }))
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

function nearest(name: string, known: ReadonlySet<string>): string | undefined {
  // A third of the part after the prefix may differ, else the hint would be a guess.
  let bestDistance = Math.floor((name.length - PREFIX.length) / 3) + 1;
  let best: string | undefined;
  for (const candidate of known) {
    if (!candidate.startsWith(PREFIX)) continue;
    const distance = editDistance(name, candidate);
    if (distance < bestDistance) {
      bestDistance = distance;
      best = candidate;
    }
  }
  return best;
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
