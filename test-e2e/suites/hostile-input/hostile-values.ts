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
