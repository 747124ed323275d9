import { createBoundedMap } from '@tollgate/core';
import type { Directive } from './behavior';

/** Decides for which requests `fail` applies; a count, not chance, so that runs repeat. */
export interface FailureSchedule {
  /** Called once per request. */
  applies(directive: Directive): boolean;
}

const TAGS_MAX = 10_000;

export function createFailureSchedule(): FailureSchedule {
  const seenByTag = createBoundedMap<string, number>(TAGS_MAX);
  let counted = 0;
  return {
    applies({ failEvery, failFirst, tag }) {
      if (failFirst !== undefined && tag !== undefined) {
        const seen = (seenByTag.get(tag) ?? 0) + 1;
        seenByTag.set(tag, seen);
        if (seen > failFirst) return false;
      }
      if (failEvery === undefined) return true;
      counted += 1;
      return counted % failEvery === 0;
    },
  };
}
