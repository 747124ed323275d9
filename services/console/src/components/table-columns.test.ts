import { columnsOnTablet, columnsThatFit, hasLine } from './table-columns';

const short = { isMinor: false };
const minor = { isMinor: true };

test('a table does without what is minor where that makes it fit a tablet', () => {
  const columns = [short, short, minor, short, minor, short, short];
  expect(columnsOnTablet(columns)).toEqual([short, short, short, short, short]);
  expect(columnsOnTablet([short, { width: 'code' }])).toEqual([short]);
});

test('too many columns, or text of any length, are read as cards on a tablet', () => {
  expect(columnsOnTablet([short, short, short, short, short, short])).toBeUndefined();
  expect(columnsOnTablet([short, { isLong: true }])).toBeUndefined();
});

test('names, codes and sentences have a line of a card to themselves', () => {
  expect([{ width: 'name' as const }, { isLong: true }, short].map(hasLine)).toEqual([
    true,
    true,
    false,
  ]);
});

test('a table that was seen not to fit has fewer columns, then is read as cards', () => {
  const choices = [
    ['a', 'b', 'c'],
    ['a', 'b'],
  ];
  const shown = (widthPx: number, ...needed: readonly (readonly [number, number])[]) =>
    columnsThatFit({ choices, neededPx: new Map(needed), widthPx })?.length;
  expect(shown(0)).toBe(3);
  expect(shown(500)).toBe(3);
  expect(shown(0, [3, 600])).toBe(2);
  expect(shown(500, [3, 600])).toBe(2);
  expect(shown(500, [3, 600], [2, 520])).toBeUndefined();
  // There is room again: of the window that was made wider.
  expect(shown(560, [3, 600], [2, 520])).toBe(2);
  expect(shown(600, [3, 600], [2, 520])).toBe(3);
});
