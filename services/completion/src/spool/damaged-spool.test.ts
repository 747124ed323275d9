import { createFakeClock, settlePromises } from '@tollgate/testkit';
import type { LeaseWatermark } from '../domain/lease-ref';
import { exampleOutcome, exampleStart } from '../testing/example-records';
import {
  createMemoryDisk,
  createMemorySpool,
  type MemoryDisk,
  openMemorySpool,
} from '../testing/memory-disk';
import { segmentNumberOf } from './segments';
import type { Spool } from './spool';

const BOUNDS = { segmentBytesMax: 1 << 20, totalBytesMax: 1 << 24 };
const lease1 = { accountId: 'acc_1', lease: 1 };

function parts(disk: MemoryDisk) {
  return { disk, clock: createFakeClock(), bounds: BOUNDS };
}

/** How far billing is with the first lease. */
function watermarkAt(nextNumber: number): LeaseWatermark {
  return { ...lease1, nextNumber, complete: false };
}

/** Of the requests one did not end; then the machine was lost, and one byte of the file. */
async function createDamagedDisk(
  breakAt: (file: Buffer) => number,
  ended = 3,
): Promise<MemoryDisk> {
  const disk = createMemoryDisk();
  const spool = await openMemorySpool(parts(disk));
  spool.addLease(lease1, 1);
  for (let number = 1; number <= ended; number += 1) {
    await spool.begin(exampleStart({ requestId: `req_${number}` }));
    await spool.end(`req_${number}`, exampleOutcome());
  }
  await spool.begin(exampleStart({ requestId: 'req_open' }));
  await spool.flush();
  disk.crash();
  const [name = ''] = (await disk.list()).filter((file) => segmentNumberOf(file) !== undefined);
  const bytes = Buffer.from(disk.bytesOf(name));
  const broken = breakAt(bytes);
  bytes.writeUInt8(bytes.readUInt8(broken) ^ 1, broken);
  disk.put(name, bytes);
  return disk;
}

const END_OF_REQ_2 = (file: Buffer) => file.lastIndexOf('"request_id":"req_2"');
const BEGIN_OF_REQ_1 = (file: Buffer) => file.indexOf('"request_id":"req_1"');

/** Each record that waits to be sent: its number, and what is charged. */
const waiting = (spool: Spool) =>
  spool
    .takeBatch(10)
    .map((record) => [record.number, record.kind === 'usage' ? record.amount : 'close'] as const)
    .sort(([a], [b]) => a - b);

it('settles a damaged file at zero and leaves no number out that billing waits for', async () => {
  const disk = await createDamagedDisk(END_OF_REQ_2);
  const spool = createMemorySpool(parts(disk));
  expect((await spool.open()).damagedPlaces).toBe(1);
  await spool.recover([watermarkAt(2)]);
  expect(waiting(spool)).toEqual([
    [2, 0n],
    [3, 7n],
    [4, 0n],
    [5, 'close'],
  ]);
});

it('settles a damaged file with a thousand leases', async () => {
  const disk = createMemoryDisk();
  const first = await openMemorySpool(parts(disk));
  for (let lease = 1; lease <= 1000; lease += 1) {
    first.addLease({ accountId: 'acc_1', lease }, 1);
    void first.closeLease({ accountId: 'acc_1', lease });
  }
  await first.flush();
  disk.crash();
  const second = createMemorySpool(parts(disk));
  await second.open();
  const settled = second
    .leaseRefs()
    .map(({ accountId, lease }) => ({ accountId, lease, nextNumber: 2, complete: true }));
  expect(settled).toHaveLength(1000);
  await second.recover(settled);
  await second.close();
  const third = createMemorySpool(parts(disk));
  await third.open();
  expect(third.leaseRefs()).toEqual([]);
});

it('goes on at billing’s next number when the damage took every end', async () => {
  const disk = createMemoryDisk();
  const first = await openMemorySpool(parts(disk));
  first.addLease(lease1, 1);
  await first.flush();
  disk.crash();
  const second = createMemorySpool(parts(disk));
  await second.open();
  await second.recover([watermarkAt(6)]);
  expect(waiting(second)).toEqual([[6, 'close']]);
});

describe('while billing does not answer for every account', () => {
  it('gives no number again that it settled since it was asked', async () => {
    const disk = await createDamagedDisk(BEGIN_OF_REQ_1);
    const spool = createMemorySpool(parts(disk));
    await spool.open();
    expect(waiting(spool)).toEqual([
      [1, 7n],
      [2, 7n],
      [3, 7n],
    ]);
    spool.forget([watermarkAt(4)]);
    await spool.recover([watermarkAt(1)]);
    expect(waiting(spool)).toEqual([
      [4, 0n],
      [5, 'close'],
    ]);
  });

  it('keeps the damaged file, so that another start asks billing as well', async () => {
    const disk = await createDamagedDisk(BEGIN_OF_REQ_1, 30);
    const spool = createMemorySpool(parts(disk));
    await spool.open();
    spool.forget([watermarkAt(31)]);
    await settlePromises();
    await spool.close();
    const again = createMemorySpool(parts(disk));
    expect((await again.open()).damagedPlaces).toBe(1);
  });
});
