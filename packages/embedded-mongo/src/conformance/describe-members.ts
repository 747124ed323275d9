import { EJSON } from 'bson';
import type { Members } from './conformance-case';

const TEXT_LENGTH_MAX = 2_000;

/** Members with their BSON types, for the text of a problem. */
export function describeMembers(members: Members): string {
  return EJSON.stringify(members, { relaxed: false }).slice(0, TEXT_LENGTH_MAX);
}
