import { columnsOnTablet, hasLine } from './table-columns';

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
