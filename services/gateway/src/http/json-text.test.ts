import { AppError } from '@tollgate/core';
import fc from 'fast-check';
import { findDuplicateMember, isDeeperThan, parseJsonText } from './json-text';

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}

test('depth is what the parsed value says, whatever the strings hold', () => {
  const text = fc.string({ unit: fc.constantFrom('"', '\\', '[', '{', '}', 'a', '\n') });
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 6 },
      text,
      fc.integer(),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(text, tie('value'), { maxKeys: 3 }),
    ),
  }));
  fc.assert(
    fc.property(value, fc.nat(7), fc.constantFrom(undefined, 2), (tree, depthMax, indent) => {
      const json = JSON.stringify(tree, null, indent);
      expect(isDeeperThan(json, depthMax)).toBe(depthOf(tree) > depthMax);
    }),
  );
});

test.each([
  ['{"a":1,"a":2}', 'a'],
  ['{"a":1,"\\u0061":2}', 'a'],
  ['{"a":{"b":1,"b" \n :2}}', 'b'],
  ['[{"a":1},{"a":2}]', undefined],
  ['{"a":{"a":1},"b":"a"}', undefined],
  ['{"a":["a","a"],"b":"\\"a\\":"}', undefined],
  [`{"a":1,"a"${' '.repeat(100)}:2}`, 'a'],
])('duplicate members of %s: %s', (text, name) => {
  expect(findDuplicateMember(text)).toBe(name);
});

const strict = { depthMax: 8, refuseDuplicates: true };

test.each([['{'], [''], ['nul'], ['{"a":1,"a":1}'], ['[[[[[[[[[1]]]]]]]]]']])(
  '%j is refused',
  (text) => {
    expect(() => parseJsonText(Buffer.from(text), strict)).toThrow(AppError);
  },
);

test('bytes that are not UTF-8 are refused, never replaced', () => {
  expect(() => parseJsonText(Buffer.from([0x22, 0xff, 0x22]), strict)).toThrow(AppError);
});

test('a member called __proto__ changes no prototype', () => {
  const value = parseJsonText(Buffer.from('{"__proto__":{"polluted":true}}'), strict);
  expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  expect(({} as Record<string, unknown>).polluted).toBeUndefined();
});
