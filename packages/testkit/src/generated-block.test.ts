import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expectGeneratedBlock, toAlignedTable, withBlock } from './generated-block';
import { makeTemporaryDirectory } from './temporary-directory';

const PAGE = 'Before.\n\n<!-- made by a test: a -->\n\nold\n\n<!-- end -->\n\nAfter.\n';
const TABLE = toAlignedTable(['a', 'longer'], [['value', 'x']]);

test('columns are as wide as their longest cell', () => {
  expect(TABLE).toBe('| a     | longer |\n| ----- | ------ |\n| value | x      |');
});

test('only the part of that name is another', () => {
  expect(withBlock(PAGE, 'a', TABLE)).toBe(PAGE.replace('old', TABLE));
  expect(withBlock(PAGE, 'b', TABLE)).toBeUndefined();
});

test('a part that says something else fails, and is written only when that is asked for', async () => {
  const directory = await makeTemporaryDirectory();
  const file = join(directory.path, 'page.md');
  const before = process.env.WRITE_DOCS;
  try {
    writeFileSync(file, PAGE);
    delete process.env.WRITE_DOCS;
    expect(() => expectGeneratedBlock(file, 'a', 'new')).toThrow('not what the test found');
    expect(readFileSync(file, 'utf8')).toBe(PAGE);
    process.env.WRITE_DOCS = '1';
    expectGeneratedBlock(file, 'a', 'new');
    delete process.env.WRITE_DOCS;
    expectGeneratedBlock(file, 'a', 'new');
    expect(() => expectGeneratedBlock(file, 'b', 'new')).toThrow('has no part');
  } finally {
    if (before !== undefined) process.env.WRITE_DOCS = before;
    else delete process.env.WRITE_DOCS;
    await directory.remove();
  }
});
