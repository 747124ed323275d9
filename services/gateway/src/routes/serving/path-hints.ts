import { nearestName } from '@tollgate/core';
import type { Route } from '../table';

const NOT_THERE = 'This path does not exist.';
const PREFIX = '/v1';

/** Says of a path that is not there what was probably meant. */
export type PathHint = (path: string) => {
  /** What its client is told. */
  readonly message: string;
  /** The path that was meant; undefined when nobody can tell. */
  readonly meant?: string;
};

/**
 * The message of a 404: it names the base address to a client whose own lacks `/v1`, has it twice
 * or has something in front, and otherwise the path that is nearest.
 */
export function createPathHint(routes: readonly Route[]): PathHint {
  const patterns = routes.map(({ path }) => ({ path, pattern: toPattern(path) }));
  const find = (path: string) => patterns.find(({ pattern }) => pattern.test(path))?.path;
  const fixed = patterns.flatMap(({ path }) => (path.includes('{') ? [] : path));
  return (url) => {
    const [path = ''] = url.split('?', 1);
    const bare = path.replace(/\/+$/, '').replace(/\/{2,}/g, '/');
    const spelt = spellingsOf(bare).find((each) => find(each) !== undefined);
    if (spelt?.toLowerCase() === bare.toLowerCase()) return didYouMean(spelt);
    if (spelt !== undefined) {
      const base = `The base address of this API ends in ${PREFIX}, once`;
      return { message: `${NOT_THERE} ${base}: ask ${spelt}.`, meant: spelt };
    }
    const within = fixed.find((each) => bare.startsWith(`${each}/`));
    const rest = within === undefined ? '' : `${PREFIX}${bare.slice(within.length)}`;
    if (within !== undefined && find(rest) !== undefined) {
      const message =
        `${NOT_THERE} The base address of this API ends in ${PREFIX}, not in ${within}, which ` +
        `clients append themselves: ask ${rest}.`;
      return { message, meant: rest };
    }
    if (LOGIN.test(bare)) return didYouMean(`${PREFIX}/users/login`);
    if (!path.startsWith(PREFIX)) return { message: NOT_THERE };
    const nearest = nearestName(bare, fixed, 3);
    return nearest === undefined ? { message: `${NOT_THERE} ${LISTED}` } : didYouMean(nearest);
  };
}

const LISTED = `GET ${PREFIX}/openapi.json lists those that do.`;

function didYouMean(meant: string): ReturnType<PathHint> {
  return { message: `${NOT_THERE} Did you mean ${meant}?`, meant };
}

/** What other services call it. */
const LOGIN =
  /^(?:\/api)?\/v1\/(?:auth|session|sessions|account|accounts)?\/?(?:login|signin|sign-in)$/;

/** The path itself, and without what stands before its last `/v1`, as written and in small letters. */
function spellingsOf(path: string): readonly string[] {
  const last = path.lastIndexOf(`${PREFIX}/`);
  const below = last === -1 ? path : path.slice(last + PREFIX.length);
  const rebased = `${PREFIX}${below}`;
  return [path, rebased, rebased.toLowerCase()];
}

function toPattern(path: string): RegExp {
  const parts = path.split(/\{\w+\}/).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('[^/]+')}$`);
}
