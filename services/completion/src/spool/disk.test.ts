import fs from 'node:fs';
import { join } from 'node:path';
import { silentLogger } from '@tollgate/core';
import {
  createFakeClock,
  makeTemporaryDirectory,
  type TemporaryDirectory,
} from '@tollgate/testkit';
import { exampleOutcome, exampleStart } from '../testing/example-records';
import { createNodeDisk, SpoolLockedError } from './disk';
import { Spool } from './spool';

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
  expect((await disk.read('a')).length).toBe(7);
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

it('tells a lock that cannot be taken from one that another process has', async () => {
  const { path } = directory;
  fs.writeFileSync(join(path, 'spool.lock'), 'this is no database and never was one'.repeat(100));
  await expect(createNodeDisk(path).lock()).rejects.toThrow('file is not a database');
});

describe('a disk that is full', () => {
  const LEASE = { accountId: 'acc_1', lease: 1 };

  afterEach(() => jest.restoreAllMocks());

  async function openSpool(segmentBytesMax: number): Promise<Spool> {
    const bounds = { segmentBytesMax, totalBytesMax: 1 << 24 };
    const disk = createNodeDisk(directory.path);
    const spool = new Spool({ disk, clock: createFakeClock(), logger: silentLogger, bounds });
    expect(await spool.open()).toEqual({ tornBytes: 0, damagedPlaces: 0 });
    return spool;
  }

  const usedBytes = () =>
    fs
      .readdirSync(directory.path)
      .reduce((sum, name) => sum + fs.statSync(join(directory.path, name)).size, 0);

  const noSpace = () => Object.assign(new Error('ENOSPC: no space left'), { code: 'ENOSPC' });

  /**
   * A file grows by `roomBytes` at most, the last write in part, as a file system takes it. One
   * that copies what it overwrites needs room for that as well.
   */
  function leaveRoom(roomBytes: () => number, isCopied: boolean): void {
    const { writeSync } = fs;
    const write = (fd: number, bytes: Buffer, from: number, length: number, at: number) => {
      const inPlace = isCopied ? 0 : Math.max(0, fs.fstatSync(fd).size - at);
      const room = length > inPlace ? Math.max(0, roomBytes()) : 0;
      const taken = Math.min(length, inPlace + room);
      if (taken === 0) throw noSpace();
      return writeSync(fd, bytes, from, taken, at);
    };
    jest.spyOn(fs, 'writeSync').mockImplementation(write as typeof fs.writeSync);
  }

  const bytesUpTo = (bytes: number) => {
    const allBytes = usedBytes() + bytes;
    return () => allBytes - usedBytes();
  };
  /** What is left, before others take all. */
  const bytesOnce = (bytes: number) => {
    const left = [bytes];
    return () => left.pop() ?? 0;
  };
  const makeNoFile = () => {
    const open = ((...args: unknown[]) =>
      (args.at(-1) as (error: Error) => void)(noSpace())) as typeof fs.open;
    jest.spyOn(fs, 'open').mockImplementation(open);
  };
  const LARGE = 1 << 20;

  it.each<[string, number, () => void, { readonly early?: true; readonly atLeast: number }]>([
    [
      'while zeros are written ahead, takes what fits',
      LARGE,
      () => leaveRoom(bytesUpTo(20_000), false),
      { early: true, atLeast: 5 },
    ],
    [
      'while zeros are overwritten, takes as much as there are zeros',
      LARGE,
      () => leaveRoom(bytesUpTo(0), false),
      { atLeast: 100 },
    ],
    [
      'while zeros are overwritten and it copies, takes a part of a record',
      LARGE,
      () => leaveRoom(bytesOnce(100), true),
      { atLeast: 0 },
    ],
    ['when a segment is made, makes none', 4096, makeNoFile, { atLeast: 1 }],
    [
      'when a segment is begun, takes a part of its beginning',
      4096,
      () => leaveRoom(bytesOnce(10), false),
      { atLeast: 1 },
    ],
  ])('%s: what was told is charged once, and new work refused', async (_, bytes, fill, how) => {
    const spool = await openSpool(bytes);
    if (how.early === true) fill();
    await spool.recover();
    spool.addLease(LEASE, 1);
    const told: string[] = [];
    const run = async (requestId: string) => {
      await spool.begin(exampleStart({ requestId, ...LEASE }));
      await spool.end(requestId, exampleOutcome());
      told.push(requestId);
    };
    await run('req_first');
    if (how.early !== true) fill();
    const runUntilRefused = async () => {
      for (let index = 0; index < 1_000; index += 1) await run(`req_${index}`);
    };
    await expect(runUntilRefused()).rejects.toMatchObject({
      message: 'the usage spool cannot be written',
      cause: { code: 'ENOSPC' },
    });
    expect(told.length).toBeGreaterThan(how.atLeast);
    expect([spool.acceptsWork, spool.acceptsWorkOf('acc_other')]).toEqual([false, false]);
    await expect(run('req_refused')).rejects.toThrow('cannot be written');
    await spool.close();

    jest.restoreAllMocks();
    const again = await openSpool(bytes);
    await again.recover();
    const charged = again
      .takeBatch(10_000)
      .flatMap((record) => (record.kind === 'usage' && record.amount > 0n ? [record] : []));
    expect(charged.map(({ requestId }) => requestId)).toEqual(told);
    expect(again.acceptsWork).toBe(true);
    await again.close();
  });
});
