import { formatTable } from './table';

const columns = ['id', 'name', 'status', 'why'];
const items = [
  { id: 'chn_01J00000000000000000000001', name: 'first', status: 'enabled', why: null },
  { id: 'chn_01J00000000000000000000002', name: 'b', status: 'disabled', why: 'A long reason.' },
];
const print = (width: number | undefined, of: readonly object[] = items) =>
  formatTable(of, { columns, width }, (text) => text.replaceAll('\n', '|')).split('\n');

test('a list is a line for each item, aligned under the names of its members', () => {
  expect(print(undefined)).toEqual([
    'ID                              NAME   STATUS    WHY',
    'chn_01J00000000000000000000001  first  enabled   -',
    'chn_01J00000000000000000000002  b      disabled  A long reason.',
  ]);
});

test('what does not fit into the terminal is cut, and no id is', () => {
  const lines = print(62);
  expect(lines[2]).toBe('chn_01J00000000000000000000002  b      disabled  A long reaso…');
  for (const line of lines) expect([...line].length).toBeLessThanOrEqual(62);
  const [, first = ''] = print(40);
  expect(first).toMatch(/^chn_01J00000000000000000000001 {2}first.*…$/);
  expect([...first]).toHaveLength(40);
});

test('names of customers stay in their line and column', () => {
  const odd = { id: 'acc_1', name: '😀\nx', status: 'active', why: 'y' };
  const [, one, two] = print(undefined, [odd, { ...odd, name: 'four' }]);
  expect(one).toBe('acc_1  😀|x   active  y');
  expect(two).toBe('acc_1  four  active  y');
});
