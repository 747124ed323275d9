import { parseCsv, quote, toCsv, unquote } from './csv';

const BOUNDS = { linesMax: 10, cellsMax: 5 };

test('what is written is read again, and is no formula', () => {
  const rows = [
    ['plain', 'with, comma', 'with "quotes"'],
    ['two\nlines', '', '1.50'],
  ];
  const text = toCsv([['a', 'b', 'c'], ...rows.map((row) => row.map(quote))]);
  expect(parseCsv(text, BOUNDS)).toEqual([['a', 'b', 'c'], ...rows]);
  expect(toCsv([['=1+1'], ['@cmd']].map((row) => row.map(quote)))).toBe('"\'=1+1"\r\n"\'@cmd"\r\n');
});

test.each([
  [
    'a,b\n1,2',
    [
      ['a', 'b'],
      ['1', '2'],
    ],
  ],
  [
    'a,b\r\n1,\r\n',
    [
      ['a', 'b'],
      ['1', ''],
    ],
  ],
  ['a\n\n\n1\n', [['a'], ['1']]],
  [
    'a,b\n1,',
    [
      ['a', 'b'],
      ['1', ''],
    ],
  ],
  ['', []],
])('%j has its rows', (text, rows) => {
  expect(parseCsv(text, BOUNDS)).toEqual(rows);
});

test.each(['a"b', '"open', '"a"b'])('%j is no table', (text) => {
  expect(parseCsv(text, BOUNDS)).toBeUndefined();
});

test.each(['=1+1', '-5', "'=1", "'", "it's", '@x', 'plain', ''])(
  '%j is the same after it was written and read',
  (text) => {
    const [[field = ''] = []] = parseCsv(toCsv([[quote(text), 'x']]), BOUNDS) ?? [];
    expect(unquote(field)).toBe(text);
  },
);

test('reading ends at the first row that is too wide, and behind the last line that may be', () => {
  const wide = parseCsv(`a,b\n${','.repeat(499_999)}`, BOUNDS);
  expect(wide?.map((row) => row.length)).toEqual([2, 3]);
  expect(parseCsv(','.repeat(499_999), BOUNDS)?.map((row) => row.length)).toEqual([6]);
  expect(parseCsv('a\n'.repeat(200_000), BOUNDS)).toHaveLength(11);
});

test('a long text in quotation marks is read', () => {
  const text = 'x""'.repeat(100_000);
  expect(parseCsv(`"${text}"`, BOUNDS)?.[0]?.[0]).toHaveLength(200_000);
});
