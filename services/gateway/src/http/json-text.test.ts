import { AppError } from '@tollgate/core';
import fc from 'fast-check';
import { findDuplicateField, parseJsonText } from './json-text';

test.each([
  ['{"a":1,"a":2}', 'a'],
  ['{"a":1,"\\u0061":2}', 'a'],
  ['{"a":{"b":1,"b" \n :2}}', 'b'],
  ['[{"a":1},{"a":2}]', undefined],
  ['{"a":{"a":1},"b":"a"}', undefined],
  ['{"a":["a","a"],"b":"\\"a\\":"}', undefined],
  [`{"a":1,"a"${' '.repeat(100)}:2}`, 'a'],
])('duplicate members of %s: %s', (text, name) => {
  expect(findDuplicateField(text)).toBe(name);
});

const strict = { depthMax: 8, refuseDuplicates: true };

test.each([['{'], [''], ['nul'], ['{"a":1,"a":1}'], ['[[[[[[[[[1]]]]]]]]]']])(
  '%j is refused',
  (text) => {
    expect(() => parseJsonText(Buffer.from(text), strict)).toThrow(AppError);
  },
);

test.each(['{}', '[]', '0', '""'])(
  'a body of very many values such as %s is not parsed',
  (value) => {
    const rules = { depthMax: 64, refuseDuplicates: false };
    const bodyOf = (count: number) => Buffer.from(`[${Array(count).fill(value).join(',')}]`);
    const parse = jest.spyOn(JSON, 'parse');
    const refuse = () => parseJsonText(bodyOf(500_001), rules);
    expect(refuse).toThrow('The request body holds more than 500000 values.');
    expect(parse).not.toHaveBeenCalled();
    parse.mockRestore();
    expect(parseJsonText(bodyOf(249_999), rules)).toHaveLength(249_999);
  },
);

test('bytes that are not UTF-8 are refused, never replaced', () => {
  expect(() => parseJsonText(Buffer.from([0x22, 0xff, 0x22]), strict)).toThrow(AppError);
});

test('a member called __proto__ changes no prototype', () => {
  const text = '{"__proto__":{"polluted":true}}';
  const value = parseJsonText(Buffer.from(text), { ...strict, refuseDuplicates: false });
  expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  expect(({} as Record<string, unknown>).polluted).toBeUndefined();
});

test.each([
  ['{"messages":[{"content":"a\\ud83d"}]}', 'messages[0].content'],
  ['{"model":"\\uDE00x"}', 'model'],
  ['{"stop":["a","\\ud83d\\ud83d\\ude00"]}', 'stop[1]'],
  ['{"metadata":{"\\ud800":"x"}}', 'metadata'],
])('half of a surrogate pair is refused where it stands: %s', (text, param) => {
  const rules = { depthMax: 64, refuseDuplicates: false };
  expect(() => parseJsonText(Buffer.from(text), rules)).toThrow(`${param}: `);
});

test('whole pairs and the word of their escape pass', () => {
  const text = '{"a":"\\ud83d\\ude00","b":"\\\\ud83d"}';
  const rules = { depthMax: 64, refuseDuplicates: false };
  expect(parseJsonText(Buffer.from(text), rules)).toEqual({ a: '\u{1f600}', b: '\\ud83d' });
});

test('a body whose pairs are whole is not walked through', () => {
  const keys = jest.spyOn(Object, 'keys');
  const entries = jest.spyOn(Object, 'entries');
  parseJsonText(Buffer.from('{"a":"\\ud83d\\ude00","b":[{},{}]}'), {
    depthMax: 64,
    refuseDuplicates: false,
  });
  const calls = keys.mock.calls.length + entries.mock.calls.length;
  jest.restoreAllMocks();
  expect(calls).toBe(0);
});

test('halves of pairs are found among any other escapes', () => {
  const piece = fc.constantFrom(
    '\\ud83d',
    '\\uDE00',
    '\\ud83d\\ude00',
    '\\\\',
    '\\n',
    '\\u0041',
    'ud83d',
    '😀',
    'x',
    '\\"',
  );
  const rules = { depthMax: 64, refuseDuplicates: false };
  const property = fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
    const text = `"${pieces.join('')}"`;
    const isWhole = (JSON.parse(text) as string).isWellFormed();
    let isTaken = true;
    try {
      parseJsonText(Buffer.from(text), rules);
    } catch {
      isTaken = false;
    }
    expect(isTaken).toBe(isWhole);
  });
  fc.assert(property);
});

test('a member that no object can have is refused where unknown members are', () => {
  const body = Buffer.from('{"metadata":{"\\u005f_proto__":"x"}}');
  const parse = (refuseDuplicates: boolean) =>
    parseJsonText(body, { depthMax: 64, refuseDuplicates });
  expect(() => parse(true)).toThrow('metadata.__proto__: ');
  expect(() => parse(false)).not.toThrow();
});
