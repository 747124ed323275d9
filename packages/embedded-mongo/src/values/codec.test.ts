import { BSONRegExp, Decimal128, deserialize, Int32, serialize } from 'bson';
import { CommandError } from '../errors';
import { BORDER_VALUES } from '../testing/border-values';
import { DOCUMENT_DEPTH_MAX, decodeDocument } from './decode';
import { encodeDocument } from './encode';
import type { Document, Value } from './value';

describe('the BSON codec', () => {
  it('answers the bytes it was given, for every type', () => {
    const all: Value[] = [...BORDER_VALUES, new BSONRegExp('a.b', 'i')];
    const bytes = Buffer.from(serialize({ all, nested: { all } }));
    expect(encodeDocument(decodeDocument(bytes)).equals(bytes)).toBe(true);
  });

  it('writes what the reference library reads', () => {
    const document: Document = new Map<string, Value>([
      ['text', 'naïve \u{1f600}'],
      ['long', 9_007_199_254_740_993n],
      ['list', [new Int32(1), null, true]],
    ]);
    expect(deserialize(encodeDocument(document), { useBigInt64: true })).toEqual({
      text: 'naïve \u{1f600}',
      long: 9_007_199_254_740_993n,
      list: [1, null, true],
    });
  });

  it('keeps the order of names that look like numbers', () => {
    const document: Document = new Map([
      ['10', new Int32(1)],
      ['9', new Int32(2)],
      ['__proto__', new Int32(3)],
    ]);
    expect([...decodeDocument(encodeDocument(document)).keys()]).toEqual(['10', '9', '__proto__']);
  });

  it('refuses bytes that are cut, lengths that lie and types that are not supported', () => {
    const bytes = Buffer.from(serialize({ a: 'text', b: [1, { c: 2n }] }));
    for (let length = 0; length < bytes.length; length += 1) {
      expect(() => decodeDocument(bytes.subarray(0, length))).toThrow(CommandError);
    }
    const lying = Buffer.from(bytes);
    lying.writeInt32LE(1_000_000, 7);
    expect(() => decodeDocument(lying)).toThrow(CommandError);
    const odd = Buffer.from(serialize({ a: Decimal128.fromString('1.10') }));
    expect(() => decodeDocument(odd)).toThrow('type 0x13 is not supported');
  });

  it('refuses nesting that would exhaust the stack', () => {
    let nested: Document = new Map();
    for (let depth = 0; depth < DOCUMENT_DEPTH_MAX; depth += 1) nested = new Map([['a', nested]]);
    const bytes = encodeDocument(nested);
    expect(() => decodeDocument(bytes)).toThrow('nested deeper');
  });
});
