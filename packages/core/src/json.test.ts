import fc from 'fast-check';
import { findExcess } from './json';

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}

/** Values that the value holds, itself included. */
function valuesOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1;
  return Object.values(value).reduce<number>((sum, member) => sum + valuesOf(member), 1);
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
      expect(findExcess(json, { depthMax }) === 'depth').toBe(depthOf(tree) > depthMax);
      const valuesMax = valuesOf(tree) - 2;
      expect(findExcess(json, { depthMax: 99, valuesMax })).toBe('values');
    }),
  );
});
