import { asObject, findExcess, type JsonObject, parseJson } from '@tollgate/core';

/** Answers nest some ten levels; deeper ones are an attack on the parser. */
const DEPTH_MAX = 64;
/**
 * Parsing one text holds everything else up. An answer of eight megabytes whose tokens all have
 * their twenty scores stays below this; one of `{},` has three times as many values.
 */
const VALUES_MAX = 1_000_000;
/** The same of one event of a stream, which is some tokens. */
export const EVENT_VALUES_MAX = 50_000;

/** Parses an object; undefined when the text is none, or has too many values or levels. */
export function parseObject(text: string, valuesMax = VALUES_MAX): JsonObject | undefined {
  if (findExcess(text, { depthMax: DEPTH_MAX, valuesMax }) !== undefined) return undefined;
  return asObject(parseJson(text));
}

/** The `error` member of a refusal's body, where it has one. */
export function errorMemberOf(body: Buffer): JsonObject | undefined {
  return asObject(parseObject(body.toString())?.error);
}
