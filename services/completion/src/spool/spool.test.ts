import { type NumberedRecord, nano } from '@tollgate/core';
import { createFakeClock, settlePromises } from '@tollgate/testkit';
import type { LeaseRef } from '../domain/lease-ref';
import { exampleOutcome, exampleStart } from '../testing/example-records';
import {
  createMemoryDisk,
  createMemorySpool,
  type MemoryDisk,
  openMemorySpool,
} from '../testing/memory-disk';
import { SpoolLockedError } from './disk';
import { segmentNumberOf } from './segments';
import type { Spool } from './spool';

const BOUNDS = { segmentBytesMax: 4096, totalBytesMax: 65_536 };

function spoolOn(disk: MemoryDisk, bounds = BOUNDS): Spool {
  return createMemorySpool({ disk, clock: createFakeClock(), bounds });
}

function startOn(disk: MemoryDisk, bounds = BOUNDS): Promise<Spool> {
  return openMemorySpool({ disk, clock: createFakeClock(), bounds });
}

/** One finished request on the lease. */
async function runRequest(spool: Spool, requestId: string, lease = 1): Promise<void> {
  await spool.begin(exampleStart({ requestId, lease }));
  await spool.end(requestId, exampleOutcome());
}

/** The file of the oldest segment. */
async function segmentOn(disk: MemoryDisk): Promise<string> {
  return (await disk.list()).find((file) => segmentNumberOf(file) !== undefined) ?? '';
}

const brief = (records: readonly NumberedRecord[]) =>
  records.map((record) => `${record.lease}:${record.number}:${record.kind}`);

const lease1 = { accountId: 'acc_1', lease: 1 };

describe('spool', () => {
  it('gives the numbers of a lease gapless from 1, in the order of the ends', async () => {
    const spool = await startOn(createMemoryDisk());
    spool.addLease(lease1, 1);
    await spool.begin(exampleStart({ requestId: 'req_a' }));
    await spool.begin(exampleStart({ requestId: 'req_b' }));
    const [b, a] = await Promise.all([
      spool.end('req_b', exampleOutcome()),
      spool.end('req_a', exampleOutcome()),
    ]);
    expect([b.number, a.number]).toEqual([1, 2]);
    await spool.closeLease(lease1);
    expect(brief(spool.takeBatch(10))).toEqual(['1:1:usage', '1:2:usage', '1:3:close']);
  });

  it('covers all waiting appends with one sync', async () => {
    const disk = createMemoryDisk();
    const spool = await startOn(disk);
    spool.addLease(lease1, 1);
    await spool.flush();
    const before = disk.syncCount;
    const ids = Array.from({ length: 50 }, (_, index) => `req_${index}`);
    await Promise.all(ids.map((requestId) => spool.begin(exampleStart({ requestId }))));
    expect(disk.syncCount - before).toBe(1);
  });

  it('waits with a batch for what else the tick brings, and syncs all of it once', async () => {
    const disk = createMemoryDisk();
    let tick = Promise.resolve();
    const gather = () => tick;
    const spool = await openMemorySpool({ disk, clock: createFakeClock(), gather });
    spool.addLease(lease1, 1);
    for (const requestId of ['req_1', 'req_2']) await spool.begin(exampleStart({ requestId }));
    const { promise, resolve } = Promise.withResolvers<void>();
    tick = promise;
    const before = disk.syncCount;
    const first = spool.end('req_1', exampleOutcome());
    await settlePromises();
    const second = spool.end('req_2', exampleOutcome());
    await settlePromises();
    expect(disk.syncCount).toBe(before);
    resolve();
    await Promise.all([first, second]);
    expect(disk.syncCount - before).toBe(1);
  });

  it('syncs a whole answer once, at its end, and a stream before its first byte too', async () => {
    const disk = createMemoryDisk();
    const spool = await startOn(disk);
    spool.addLease(lease1, 1);
    await spool.flush();
    const release = disk.holdSyncs();
    await spool.begin(exampleStart({ requestId: 'req_whole', stream: false }));
    let streams = false;
    const begun = spool.begin(exampleStart({ requestId: 'req_stream' })).then(() => {
      streams = true;
    });
    await settlePromises();
    expect(streams).toBe(false);
    release();
    await begun;
    const before = disk.syncCount;
    await spool.begin(exampleStart({ requestId: 'req_other', stream: false }));
    await spool.end('req_other', exampleOutcome());
    expect(disk.syncCount - before).toBe(1);
  });

  it('keeps a whole answer’s BEGIN when the process dies, and charges nothing for it', async () => {
    const disk = createMemoryDisk();
    const first = await startOn(disk);
    first.addLease(lease1, 1);
    await first.begin(exampleStart({ stream: false }));
    disk.kill();
    const records = (await startOn(disk)).takeBatch(10);
    expect(brief(records)).toEqual(['1:1:usage', '1:2:close']);
    expect(records[0]).toMatchObject({ amount: 0n, source: 'none', reason: 'crash' });
  });

  it('finds nothing damaged when the machine is lost with BEGINs that no sync covered', async () => {
    for (let keep = 0; keep <= 400; keep += 100) {
      const disk = createMemoryDisk();
      const first = await startOn(disk, { ...BOUNDS, segmentBytesMax: 1024 });
      first.addLease(lease1, 1);
      for (let index = 1; index <= 10; index += 1) {
        await first.begin(exampleStart({ requestId: `req_${index}`, stream: false }));
      }
      await first.end('req_1', exampleOutcome());
      await first.begin(exampleStart({ requestId: 'req_last', stream: false }));
      disk.crash((unsynced) => Math.min(unsynced, keep));
      const second = spoolOn(disk, { ...BOUNDS, segmentBytesMax: 1024 });
      expect((await second.open()).damagedPlaces).toBe(0);
      await second.recover();
      const records = second.takeBatch(20);
      expect(records.map(({ number }) => number)).toEqual(records.map((_, index) => index + 1));
      expect(records[0]).toMatchObject({ requestId: 'req_1', amount: 7n });
      await second.close();
    }
  });

  it('hands a record to billing only when a completed sync covers it', async () => {
    const spool = await startOn(createMemoryDisk());
    spool.addLease(lease1, 1);
    await spool.begin(exampleStart());
    const ended = spool.end('req_1', exampleOutcome());
    expect(spool.takeBatch(10)).toEqual([]);
    await ended;
    expect(brief(spool.takeBatch(10))).toEqual(['1:1:usage']);
  });

  it('gives back every member of what it wrote', async () => {
    const disk = createMemoryDisk();
    const first = await startOn(disk);
    first.addLease(lease1, 1);
    const start = exampleStart({
      clientRequestId: 'quo"te – ü\n',
      userId: 'usr_1',
      channelId: undefined,
      ownChannel: true,
      budget: { limit: nano(5n), period: 'none' },
    });
    await first.begin(start);
    const record = await first.end(
      'req_1',
      exampleOutcome({ errorCode: 'DEADLINE', firstTokenMs: undefined }),
    );
    await first.begin({ ...start, requestId: 'req_2' });
    disk.crash();
    const [usage, cut] = (await startOn(disk)).takeBatch(2);
    expect(usage).toEqual(record);
    expect(cut).toMatchObject({ ...start, requestId: 'req_2' });
  });

  it('ends what a crash left open from its last checkpoint, then closes the lease', async () => {
    const disk = createMemoryDisk();
    const first = await startOn(disk);
    first.addLease(lease1, 1);
    await runRequest(first, 'req_done');
    await first.begin(exampleStart({ requestId: 'req_cut' }));
    const progress = { deliveredBytes: 20, firstTokenMs: 2, attempts: 1, atMs: 1_000 };
    first.checkpoint('req_cut', { promptBytes: 12, ...progress });
    await first.begin(exampleStart({ requestId: 'req_silent' }));
    await first.flush();
    disk.crash();

    const second = await startOn(disk);
    const records = second.takeBatch(10);
    expect(brief(records)).toEqual(['1:1:usage', '1:2:usage', '1:3:usage', '1:4:close']);
    expect(records[1]).toMatchObject({ requestId: 'req_cut', source: 'partial', amount: 8n });
    expect(records[2]).toMatchObject({ requestId: 'req_silent', source: 'none', amount: 0n });
    expect(second.spoolId).toBe(first.spoolId);
    expect(second.epoch).toBe(first.epoch + 1);
  });

  it('gives every begun request exactly one end, whatever byte the file is cut at', async () => {
    const disk = createMemoryDisk();
    const first = await startOn(disk, { ...BOUNDS, segmentBytesMax: 1 << 20 });
    first.addLease(lease1, 1);
    await runRequest(first, 'req_1');
    await first.begin(exampleStart({ requestId: 'req_2' }));
    await runRequest(first, 'req_3');
    await first.flush();
    const name = await segmentOn(disk);
    const whole = disk.bytesOf(name);
    const identity = disk.bytesOf('identity.spool');
    for (let length = 0; length <= whole.length; length += 1) {
      const cut = createMemoryDisk({
        [name]: whole.subarray(0, length),
        'identity.spool': identity,
      });
      const spool = spoolOn(cut);
      const report = await spool.open();
      expect(report.damagedPlaces).toBe(0);
      await spool.recover();
      const records = spool.takeBatch(100);
      const numbers = records.map((record) => record.number);
      expect(numbers).toEqual(numbers.map((_, index) => index + 1));
      const ids = records.flatMap((record) => (record.kind === 'usage' ? [record.requestId] : []));
      expect(new Set(ids).size).toBe(ids.length);
      const last = records.at(-1);
      if (last !== undefined) expect(last.kind).toBe('close');
      await spool.close();
      // What was cut once stays cut: the next start finds nothing torn.
      const again = spoolOn(cut);
      expect(await again.open()).toMatchObject({ tornBytes: 0, damagedPlaces: 0 });
    }
  });

  it('ends the file where a block is missing that no sync covers, whole records behind it or not', async () => {
    const disk = createMemoryDisk();
    const first = await startOn(disk, { ...BOUNDS, segmentBytesMax: 1 << 20 });
    first.addLease(lease1, 1);
    await runRequest(first, 'req_1');
    disk.holdSyncs();
    void first.begin(exampleStart({ requestId: 'req_lost' }));
    void first.begin(exampleStart({ requestId: 'req_behind' }));
    await settlePromises();
    const name = await segmentOn(disk);
    const bytes = Buffer.from(disk.bytesOf(name));
    const lost = bytes.indexOf('"request_id":"req_lost"');
    expect(bytes.indexOf('"request_id":"req_behind"')).toBeGreaterThan(lost);
    disk.crash();
    disk.put(name, Buffer.concat([bytes.fill(0, lost, lost + 16), Buffer.alloc(4096)]));

    const second = spoolOn(disk);
    const report = await second.open();
    expect(report.damagedPlaces).toBe(0);
    expect(report.tornBytes).toBeGreaterThan(0);
    expect(report.tornBytes).toBeLessThan(bytes.length);
    await second.recover();
    expect(brief(second.takeBatch(10))).toEqual(['1:1:usage', '1:2:close']);
  });

  it.each([
    ['space that was written ahead', '', 0],
    ['a marker with nothing behind it', 'tg', 2],
  ])('cuts %s at the end of the file', async (_what, torn, tornBytes) => {
    const disk = createMemoryDisk();
    const first = await startOn(disk, { ...BOUNDS, segmentBytesMax: 1 << 20 });
    first.addLease(lease1, 1);
    await runRequest(first, 'req_1');
    disk.kill();
    const name = await segmentOn(disk);
    const bytes = disk.bytesOf(name);
    disk.put(name, Buffer.concat([bytes, Buffer.from(torn), Buffer.alloc(4096)]));
    expect(await spoolOn(disk).open()).toEqual({ tornBytes, damagedPlaces: 0 });
    expect(disk.bytesOf(name)).toEqual(bytes);
  });

  it('does not sync a checkpoint by itself more than once a second', async () => {
    const disk = createMemoryDisk();
    const clock = createFakeClock();
    const spool = await openMemorySpool({ disk, clock, bounds: BOUNDS });
    spool.addLease(lease1, 1);
    await spool.begin(exampleStart({ requestId: 'req_1' }));
    const syncsOf = async (checkpoints: number) => {
      const before = disk.syncCount;
      for (let index = 1; index <= checkpoints; index += 1) {
        const progress = { promptBytes: 4, firstTokenMs: 1, attempts: 1, atMs: 1 };
        spool.checkpoint('req_1', { ...progress, deliveredBytes: index });
        await settlePromises();
      }
      return disk.syncCount - before;
    };
    expect(await syncsOf(4)).toBe(1);
    await clock.advance(1000);
    expect(await syncsOf(4)).toBe(1);
    // The process dies, not the machine: nothing of what was delivered is forgotten.
    disk.kill();
    const records = (await startOn(disk)).takeBatch(10);
    expect(records[0]).toMatchObject({ requestId: 'req_1', source: 'partial' });
  });

  it.each(['append', 'fdatasync'] as const)(
    'takes back what a failed %s left: whoever was told so is charged nothing at the restart',
    async (fault) => {
      const disk = createMemoryDisk();
      const spool = await startOn(disk);
      spool.addLease(lease1, 1);
      await spool.begin(exampleStart());
      disk.failNext(fault, Number.POSITIVE_INFINITY);
      await expect(spool.end('req_1', exampleOutcome())).rejects.toThrow('cannot be written');
      await spool.close();
      const [usage] = (await startOn(disk)).takeBatch(10);
      expect(usage).toMatchObject({ kind: 'usage', amount: 0n, source: 'none', reason: 'crash' });
    },
  );

  it.each(['append', 'fdatasync'] as const)(
    'is poisoned by a failed %s until a restart reads the file',
    async (fault) => {
      const disk = createMemoryDisk();
      const spool = await startOn(disk);
      spool.addLease(lease1, 1);
      await spool.begin(exampleStart());
      const heard = new Promise((resolve) => spool.onPoisoned(resolve));
      disk.failNext(fault, 7);
      await expect(spool.end('req_1', exampleOutcome())).rejects.toThrow('cannot be written');
      await heard;
      expect(spool.acceptsWork).toBe(false);
      expect(spool.takeBatch(10)).toEqual([]);
      const bytes = (await disk.list()).map((name) => disk.bytesOf(name).length);
      await expect(spool.begin(exampleStart({ requestId: 'req_2' }))).rejects.toThrow();
      spool.checkpoint('req_1', {
        promptBytes: 4,
        deliveredBytes: 4,
        firstTokenMs: 1,
        attempts: 1,
        atMs: 1,
      });
      await spool.flush();
      expect((await disk.list()).map((name) => disk.bytesOf(name).length)).toEqual(bytes);
      await spool.close();
      const again = await startOn(disk);
      const kinds = again.takeBatch(10).map((record) => record.kind);
      expect(kinds).toEqual(['usage', 'close']);
    },
  );

  it('makes what a killed process left unsynced durable before it builds on it', async () => {
    const disk = createMemoryDisk();
    const first = await startOn(disk);
    first.addLease(lease1, 1);
    await first.begin(exampleStart());
    disk.failNext('fdatasync');
    await expect(first.end('req_1', exampleOutcome())).rejects.toThrow();
    disk.kill();
    await startOn(disk);
    disk.crash();
    const again = await startOn(disk);
    expect(brief(again.takeBatch(10))).toEqual(['1:1:usage', '1:2:close']);
  });

  it('serves one process at a time, and writes nothing once it has let another one in', async () => {
    const disk = createMemoryDisk();
    const spool = await startOn(disk);
    await spool.begin(exampleStart());
    await expect(spoolOn(disk).open()).rejects.toBeInstanceOf(SpoolLockedError);
    const closing = spool.close();
    const late = expect(spool.end('req_1', exampleOutcome())).rejects.toThrow('spool is closed');
    await Promise.all([closing, late]);
    const files = await disk.list();
    await expect(spool.closeLease(lease1)).rejects.toThrow('spool is closed');
    expect(await disk.list()).toEqual(files);
    await startOn(disk);
  });
});

describe('spool compaction', () => {
  const settleThrough = (spool: Spool, nextNumber: number) =>
    spool.forget([{ ...lease1, nextNumber, complete: false }]);
  const segmentCount = async (disk: MemoryDisk) =>
    (await disk.list()).filter((name) => segmentNumberOf(name) !== undefined).length;
  const runMany = async (spool: Spool, from: number, to: number) => {
    for (let index = from; index <= to; index += 1) await runRequest(spool, `req_${index}`);
  };
  // Removal follows the settled mark; a fixed number of steps is enough on the memory disk.
  const runSteps = async () => {
    for (let step = 0; step < 200; step += 1) await Promise.resolve();
  };

  it('fills a segment with records, however many leases it repeats at its beginning', async () => {
    const disk = createMemoryDisk();
    const spool = await startOn(disk, { segmentBytesMax: 4096, totalBytesMax: 1 << 24 });
    for (let lease = 1; lease <= 200; lease += 1) spool.addLease({ accountId: 'acc_1', lease }, 1);
    for (let index = 1; index <= 12; index += 1) await runRequest(spool, `req_${index}`);
    const segments = (await disk.list()).filter((file) => segmentNumberOf(file) !== undefined);
    expect(segments.length).toBeGreaterThan(2);
    expect(segments.length).toBeLessThan(10);
  });

  it('keeps every record until billing has settled it', async () => {
    const disk = createMemoryDisk();
    const spool = await startOn(disk);
    spool.addLease(lease1, 1);
    await runMany(spool, 1, 40);
    const grown = await segmentCount(disk);
    expect(grown).toBeGreaterThan(3);
    spool.takeBatch(100);
    await runSteps();
    expect(await segmentCount(disk)).toBe(grown);
    settleThrough(spool, 41);
    await spool.flush();
    await runSteps();
    expect(await segmentCount(disk)).toBe(1);
  });

  it('keeps an open lease’s number through the removal of all its records', async () => {
    const disk = createMemoryDisk();
    const spool = await startOn(disk);
    spool.addLease(lease1, 1);
    await runMany(spool, 1, 40);
    settleThrough(spool, 41);
    await spool.flush();
    await runSteps();
    disk.crash();
    const again = await startOn(disk);
    expect(brief(again.takeBatch(10)).at(-1)).toBe('1:41:close');
  });

  it('copies a long request forward instead of keeping every segment since its begin', async () => {
    const disk = createMemoryDisk();
    const spool = await startOn(disk);
    spool.addLease(lease1, 1);
    await spool.begin(exampleStart({ requestId: 'req_long' }));
    await runMany(spool, 1, 40);
    settleThrough(spool, 41);
    await spool.flush();
    await runSteps();
    expect(await segmentCount(disk)).toBeLessThanOrEqual(2);
    disk.crash();
    const again = await startOn(disk);
    const records = again.takeBatch(100).filter((record) => record.number > 40);
    expect(records[0]).toMatchObject({ requestId: 'req_long', number: 41, source: 'none' });
  });

  it('never copies the begin of a request behind its end', async () => {
    const disk = createMemoryDisk();
    const spool = await startOn(disk);
    spool.addLease(lease1, 1);
    await spool.begin(exampleStart({ requestId: 'req_long' }));
    await runMany(spool, 1, 40);
    const release = disk.holdSyncs();
    settleThrough(spool, 41);
    await runSteps();
    const ended = spool.end('req_long', exampleOutcome());
    await runSteps();
    release();
    await ended;
    await spool.flush();
    await runSteps();
    disk.crash();
    const again = await startOn(disk);
    expect(brief(again.takeBatch(10))).toEqual(['1:41:usage', '1:42:close']);
  });

  it('refuses new work above four fifths of its bound', async () => {
    const spool = await startOn(createMemoryDisk(), { segmentBytesMax: 4096, totalBytesMax: 9000 });
    spool.addLease(lease1, 1);
    expect(spool.acceptsWork).toBe(true);
    await runMany(spool, 1, 10);
    expect(spool.acceptsWork).toBe(false);
    settleThrough(spool, 11);
    await spool.flush();
    await runSteps();
    expect(spool.acceptsWork).toBe(true);
  });

  it('sends again what is not settled in time', async () => {
    const clock = createFakeClock();
    const disk = createMemoryDisk();
    const spool = await openMemorySpool({ disk, clock, bounds: BOUNDS });
    spool.addLease(lease1, 1);
    await runMany(spool, 1, 2);
    expect(spool.takeBatch(10)).toHaveLength(2);
    await clock.advance(29_000);
    expect(spool.requeue(30_000)).toBe(0);
    await clock.advance(2_000);
    settleThrough(spool, 2);
    expect(spool.requeue(30_000)).toBe(1);
    expect(brief(spool.takeBatch(10))).toEqual(['1:2:usage']);
    // No waiting helps a lease that was never granted, nor does asking often.
    spool.forget([{ ...lease1, nextNumber: 2, complete: false, neverGranted: true }]);
    await clock.advance(31_000);
    expect(spool.requeue(30_000)).toBe(0);
    await clock.advance(30_000);
    expect(spool.requeue(30_000)).toBe(1);
  });

  it('forgets a settled lease though the note of it was lost with the machine', async () => {
    const disk = createMemoryDisk();
    const bounds = { segmentBytesMax: 1024, totalBytesMax: 1 << 20 };
    const first = await startOn(disk, bounds);
    first.addLease(lease1, 1);
    await runRequest(first, 'req_1');
    await first.closeLease(lease1);
    first.addLease({ accountId: 'acc_1', lease: 2 }, 1);
    for (let index = 2; index <= 6; index += 1) await runRequest(first, `req_${index}`, 2);
    const before = await disk.list();
    first.forget([
      { ...lease1, nextNumber: 3, complete: true },
      { accountId: 'acc_1', lease: 2, nextNumber: 6, complete: false },
    ]);
    await settlePromises();
    expect((await disk.list()).length).toBeLessThan(before.length);
    disk.crash();
    const second = spoolOn(disk, bounds);
    await second.open();
    expect(second.leaseRefs().map(({ lease }) => lease)).toEqual([2]);
  });
});

it('refuses an account that cannot be settled, and keeps room for all others', async () => {
  const spool = await startOn(createMemoryDisk());
  const stuck = { accountId: 'acc_stuck', lease: 1 };
  const other = { accountId: 'acc_other', lease: 1 };
  let requests = 0;
  const write = async (ref: LeaseRef) => {
    requests += 1;
    const requestId = `req_${requests}`;
    await spool.begin(exampleStart({ ...ref, requestId }));
    return spool.end(requestId, exampleOutcome());
  };
  for (const ref of [stuck, other]) spool.addLease(ref, 1);
  while (spool.acceptsWorkOf('acc_stuck') && requests < 40) await write(stuck);
  for (let count = 0; count < 400; count += 1) {
    const { number } = await write(other);
    spool.forget([{ ...other, nextNumber: number + 1, complete: false }]);
    await spool.flush();
    await settlePromises();
  }
  expect(spool.utilisation).toBeLessThan(0.8);
  expect(spool.acceptsWorkOf('acc_other')).toBe(true);
  expect(spool.acceptsWorkOf('acc_stuck')).toBe(false);
  spool.forget([{ ...stuck, nextNumber: requests, complete: false }]);
  expect(spool.acceptsWorkOf('acc_stuck')).toBe(true);
});
