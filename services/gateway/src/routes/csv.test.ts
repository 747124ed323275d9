import { parseCsv, quote, toCsv } from './csv';

test('what is written is read again, and is no formula', () => {
  const rows = [
    ['plain', 'with, comma', 'with "quotes"'],
    ['two\nlines', '', '1.50'],
  ];
  const text = toCsv([['a', 'b', 'c'], ...rows.map((row) => row.map(quote))]);
  expect(parseCsv(text)).toEqual([['a', 'b', 'c'], ...rows]);
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
  expect(parseCsv(text)).toEqual(rows);
});

test.each(['a"b', '"open', '"a"b'])('%j is no table', (text) => {
  expect(parseCsv(text)).toBeUndefined();
});
