import { nearestName } from '@tollgate/core';
import type { Route } from './table';

const NOT_THERE = 'This path does not exist.';
const PREFIX = '/v1';

/** Says of a path that is not there what was probably meant. */
export type PathHint = (path: string) => string;

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
    const based = rebased(bare).find((each) => find(each) !== undefined);
    if (based === bare || based?.toLowerCase() === bare.toLowerCase()) {
      return `${NOT_THERE} Did you mean ${based}?`;
    }
    if (based !== undefined) {
      return `${NOT_THERE} The base address of this API ends in ${PREFIX}, once: ask ${based}.`;
    }
    const within = fixed.find((each) => bare.startsWith(`${each}/`) && each !== PREFIX);
    const rest = within === undefined ? '' : `${PREFIX}${bare.slice(within.length)}`;
    if (within !== undefined && find(rest) !== undefined) {
      return (
        `${NOT_THERE} The base address of this API ends in ${PREFIX}, not in ${within}, which ` +
        `clients append themselves: ask ${rest}.`
      );
    }
    if (LOGIN.test(bare)) return `${NOT_THERE} Did you mean ${PREFIX}/users/login?`;
    const meant = path.startsWith(PREFIX) ? nearestName(bare, fixed, 3) : undefined;
    if (meant !== undefined) return `${NOT_THERE} Did you mean ${meant}?`;
    return path.startsWith(PREFIX)
      ? `${NOT_THERE} GET ${PREFIX}/openapi.json lists those that do.`
      : NOT_THERE;
  };
}

/** What other services call it. */
const LOGIN =
  /^(?:\/api)?\/v1\/(?:auth|session|sessions|account|accounts)?\/?(?:login|signin|sign-in)$/;

/** The path as it would be below one `/v1`, with what stands before left out. */
function rebased(path: string): readonly string[] {
  const last = path.lastIndexOf(`${PREFIX}/`);
  const below = last === -1 ? path : path.slice(last + PREFIX.length);
  const candidates = [`${PREFIX}${below}`];
  return [path, ...candidates, ...candidates.map((each) => each.toLowerCase())];
}

function toPattern(path: string): RegExp {
  const parts = path.split(/\{\w+\}/).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('[^/]+')}$`);
}
