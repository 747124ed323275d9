import { type JsonSchema, resolveReference } from '../../support/openapi/openapi-schema';

/** A value as the bytes of a body spell it: some of them no JSON library would write. */
export interface HostileValue {
  readonly name: string;
  readonly json: string;
}

const value = (name: string, json: string): HostileValue => ({ name, json });
const text = (name: string, content: string): HostileValue => value(name, JSON.stringify(content));

/** Operators of document stores, and names that lead out of an object. No text field takes them. */
export const INJECTIONS: readonly HostileValue[] = [
  value('{"$gt":""}', '{"$gt":""}'),
  value('{"$ne":null}', '{"$ne":null}'),
  value('{"$regex":".*"}', '{"$regex":".*"}'),
  value('{"$where":...}', '{"$where":"sleep(5000)"}'),
  value('[{"$gt":""}]', '[{"$gt":""}]'),
  value('an object with __proto__', '{"__proto__":{"admin":true}}'),
  value('an object with constructor', '{"constructor":{"prototype":{"admin":true}}}'),
];

/** Values that a field may or may not take, but must never stumble over. */
export const ODDITIES: readonly HostileValue[] = [
  text('text that looks like an operator', '{"$gt":""}'),
  text('a name with a dollar', '$where'),
  text('__proto__', '__proto__'),
  text('constructor', 'constructor'),
  text('a path upwards', '../../../../etc/passwd'),
  text('a header within', 'x\r\nSet-Cookie: a=b'),
  text('a NUL', 'a\u0000b'),
  text('only blanks', ' \t\u2028\u00a0'),
  text('empty text', ''),
  value('half a character', '"\\ud800"'),
  text('100,000 characters', 'x'.repeat(100_000)),
  value('1e400', '1e400'),
  value('1e308', '1e308'),
  value('a number beyond 2^53', '9007199254740993'),
  value('forty digits', '1'.repeat(40)),
  value('-0', '-0'),
  value('a fraction', '0.1'),
  value('null', 'null'),
  value('an empty list', '[]'),
  value('an empty object', '{}'),
  value('10,000 texts', `[${Array(10_000).fill('"x"').join()}]`),
];

type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };

/** A place within a body. */
export type Place = readonly (string | number)[];

/** Every member and every element, at every depth. */
export function placesOf(body: Json, at: Place = []): readonly Place[] {
  if (typeof body !== 'object' || body === null) return [at];
  const inner = Object.entries(body).flatMap(([name, member]) =>
    placesOf(member, [...at, Array.isArray(body) ? Number(name) : name]),
  );
  return at.length === 0 ? inner : [at, ...inner];
}

/** Members that the schema names and the body lacks, at every depth; a choice of objects has none. */
export function absentMembers(
  schema: JsonSchema,
  body: Json,
  root: JsonSchema,
  at: Place = [],
): readonly Place[] {
  if (typeof body !== 'object' || body === null) return [];
  const [only, ...others] = choicesOf(schema, root).filter(
    ({ properties, items }) => (isList(body) ? items : properties) !== undefined,
  );
  if (only === undefined || others.length > 0) return [];
  if (isList(body)) {
    const items = only.items as JsonSchema;
    return body.flatMap((one, index) => absentMembers(items, one, root, [...at, index]));
  }
  const members = Object.entries(only.properties as Readonly<Record<string, JsonSchema>>);
  return members.flatMap(([name, member]) => {
    const inner = body[name];
    const place = [...at, name];
    return inner === undefined ? [place] : absentMembers(member, inner, root, place);
  });
}

function choicesOf(schema: JsonSchema, root: JsonSchema): readonly JsonSchema[] {
  const { $ref, anyOf } = schema;
  if (typeof $ref === 'string') return choicesOf(resolveReference($ref, root), root);
  return Array.isArray(anyOf) ? anyOf.flatMap((one: JsonSchema) => choicesOf(one, root)) : [schema];
}

/** The body's text with the value in that place. */
export function replaceAt(body: Json, place: Place, json: string): string {
  const mark = `mark-${Math.random().toString(36).slice(2)}`;
  const put = (part: Json, [step, ...rest]: Place): Json => {
    if (step === undefined) return mark;
    if (typeof part !== 'object' || part === null) throw new Error(`no place ${String(step)}`);
    if (isList(part)) return part.map((one, i) => (i === step ? put(one, rest) : one));
    const members = part;
    return { ...members, [step]: put(members[step] ?? null, rest) };
  };
  return JSON.stringify(put(body, place)).replace(JSON.stringify(mark), () => json);
}

function isList(part: Json): part is readonly Json[] {
  return Array.isArray(part);
}
