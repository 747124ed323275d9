import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const FOLDER = join(__dirname, '../../../../docs/decisions');
const INDEX = 'README.md';

const read = (name: string): string => readFileSync(join(FOLDER, name), 'utf8');

test('the index of decisions has one line for each, under the title of its page', () => {
  const expected = readdirSync(FOLDER)
    .filter((name) => name !== INDEX)
    .map((name) => `- [${read(name).split('\n', 1)[0]?.replace(/^# /, '')}](${name})`);
  const listed = read(INDEX)
    .split('\n')
    .filter((line) => line.startsWith('- '));
  expect(listed.toSorted()).toEqual(expected.toSorted());
});
