import { join } from 'node:path';
import { makeTemporaryDirectory, type TemporaryDirectory } from '@tollgate/testkit';
import { createNodeDisk, SpoolLockedError } from './disk';

let directory: TemporaryDirectory;
beforeEach(async () => {
  directory = await makeTemporaryDirectory('spool');
});
afterEach(() => directory.remove());

it('appends, cuts, renames and removes files of a directory that it makes itself', async () => {
  const disk = createNodeDisk(join(directory.path, 'deep', 'spool'));
  expect(await disk.list()).toEqual([]);
  const file = await disk.open('a');
  await file.append([Buffer.from('one '), Buffer.from('two')]);
  await file.fdatasync();
  await file.close();
  const again = await disk.open('a');
  expect(again.sizeBytes).toBe(7);
  await again.append([Buffer.from(' three')]);
  await again.close();
  await disk.truncate('a', 7);
  await disk.rename('a', 'b');
  expect((await disk.read('b')).toString()).toBe('one two');
  await disk.remove('b');
  expect(await disk.list()).toEqual([]);
});

it('writes zeros ahead of what is appended, and cuts them off when the file is closed', async () => {
  const disk = createNodeDisk(directory.path);
  const file = await disk.open('a', 16);
  await file.append([Buffer.from('one ')]);
  expect((await disk.read('a')).toString()).toBe(`one ${'\0'.repeat(16)}`);
  await file.append([Buffer.from('two '), Buffer.from('three')]);
  expect((await disk.read('a')).toString()).toBe(`one two three${'\0'.repeat(7)}`);
  await file.append([Buffer.from(' and four')]);
  expect((await disk.read('a')).toString()).toBe(`one two three and four${'\0'.repeat(16)}`);
  await file.close();
  expect((await disk.read('a')).toString()).toBe('one two three and four');
});

it('gives the directory to one holder at a time', async () => {
  const first = createNodeDisk(directory.path);
  const second = createNodeDisk(directory.path);
  const lock = await first.lock();
  await expect(second.lock()).rejects.toBeInstanceOf(SpoolLockedError);
  expect(await first.list()).toEqual([]);
  await lock.release();
  await (await second.lock()).release();
});
