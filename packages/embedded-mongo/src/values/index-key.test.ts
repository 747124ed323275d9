import { seededRandom } from '@tollgate/core';
import { Double, Int32 } from 'bson';
import { BORDER_VALUES } from '../testing/border-values';
import { compareValues } from './compare';
import { afterPrefix, encodeCompoundKey, encodeKey } from './index-key';
import type { Value } from './value';

function randomNumber(random: () => number): Value {
  const bits = BigInt(Math.floor(random() * 2 ** 32)) * 2n ** 32n;
  const wide = BigInt.asIntN(64, bits + BigInt(Math.floor(random() * 2 ** 32)));
  const narrow = wide >> BigInt(Math.floor(random() * 63));
  const kind = random();
  if (kind < 0.4) return narrow;
  if (kind < 0.7) return new Double(Number(narrow));
  return kind < 0.9 ? new Double(Number(narrow) / 1_024) : new Int32(Number(narrow & 0xffffn));
}

describe('index keys', () => {
  it('order any two values exactly as values compare', () => {
    for (const left of BORDER_VALUES) {
      for (const right of BORDER_VALUES) {
        const byKey = Buffer.compare(encodeKey(left), encodeKey(right));
        expect([left, right, byKey]).toEqual([left, right, Math.sign(compareValues(left, right))]);
      }
    }
  });

  it('order numbers of mixed types exactly, whatever their size', () => {
    const random = seededRandom(7);
    for (let round = 0; round < 5_000; round += 1) {
      const left = randomNumber(random);
      const right = randomNumber(random);
      const byKey = Buffer.compare(encodeKey(left), encodeKey(right));
      expect([left, right, byKey]).toEqual([left, right, Math.sign(compareValues(left, right))]);
    }
  });

  it('order compound keys field by field, each in its own direction', () => {
    const random = seededRandom(11);
    const pickValue = () => BORDER_VALUES[Math.floor(random() * BORDER_VALUES.length)] ?? null;
    for (let round = 0; round < 5_000; round += 1) {
      const left = [pickValue(), pickValue()];
      const right = [pickValue(), pickValue()];
      const byKey = Buffer.compare(
        encodeCompoundKey(left, [1, -1]),
        encodeCompoundKey(right, [1, -1]),
      );
      const byValue = compareValues(left[0], right[0]) || -compareValues(left[1], right[1]) || 0;
      expect([left, right, byKey]).toEqual([left, right, Math.sign(byValue)]);
    }
  });

  it('end where the next prefix begins', () => {
    expect(afterPrefix(Buffer.from([1, 2]))).toEqual(Buffer.from([1, 3]));
    expect(afterPrefix(Buffer.from([1, 0xff]))).toEqual(Buffer.from([2]));
    expect(afterPrefix(Buffer.from([0xff]))).toBeUndefined();
  });
});
