import type { Disk, DiskFile } from './disk';
import { segmentName } from './segments';

/** Nothing can be written any more: a write or a sync failed, and only a restart reads the truth. */
export class SpoolPoisonedError extends Error {
  override readonly name = 'SpoolPoisonedError';
}

/** The callbacks of the log to its owner. */
export interface GroupCommitHooks {
  /** The first frames of a new segment: its header and what must survive the older segments. */
  openingFrames(segment: number): readonly Buffer[];
  /** Says in the segment itself how much of it is synced. */
  headerFrame(segment: number, syncedBytes: number): Buffer;
  /** A segment exists from now on. */
  onSegment(segment: number): void;
  /** Bytes were written to the segment, overhead included. */
  onWritten(segment: number, bytes: number): void;
  /** Called once, with the first failure. */
  onPoisoned(error: SpoolPoisonedError): void;
  /** A failed write stays in the file: the restart may find records that nobody waits for. */
  onTruncateFailed(this: void, error: unknown): void;
}

/**
 * The safety that an append waits for: `synced` survives the loss of the machine; `written`
 * survives that of the process, and is synced with whatever follows.
 */
type Durability = 'synced' | 'written';

/** Appends that share one write, and one sync when any of them waits for it. */
interface Batch {
  durability: Durability;
  readonly frames: Buffer[];
  readonly committed: ((segment: number) => void)[];
  readonly durable: Promise<void>;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

/**
 * Zeros that a segment has behind its end, for some hundred records: one sync in so many pays for a
 * new size of the file.
 */
const AHEAD_BYTES = 256 * 1024;

interface GroupCommitOptions {
  readonly firstSegment: number;
  readonly segmentBytesMax: number;
  /** What is appended until it resolves joins the batch that waits: asked before each one. */
  readonly gather: () => Promise<void>;
}

/**
 * Group commit over a sequence of append-only segments. At most one write and sync is under way;
 * everything that is appended meanwhile is covered by the next one.
 *
 *   open ──failed write or sync──▶ poisoned   (what it left is taken back, nothing is written)
 *   open ──close──▶ closed
 */
export class GroupCommit {
  readonly #disk: Disk;
  readonly #gather: () => Promise<void>;
  readonly #hooks: GroupCommitHooks;
  readonly #segmentBytesMax: number;
  #file: DiskFile | undefined;
  #segment: number;
  /** Written, and synced as far as promised; what follows in the file was promised to nobody. */
  #segmentBytes = 0;
  /** The part of it that repeats older segments: a large one must not fill a segment by itself. */
  #openingBytes = 0;
  /** The part of it that a completed sync covers. */
  #syncedBytes = 0;
  #next: Batch | undefined;
  #running: Promise<void> | undefined;
  #poisonedBy: SpoolPoisonedError | undefined;
  #closed = false;

  constructor(disk: Disk, options: GroupCommitOptions, hooks: GroupCommitHooks) {
    this.#disk = disk;
    this.#gather = options.gather;
    this.#hooks = hooks;
    this.#segment = options.firstSegment - 1;
    this.#segmentBytesMax = options.segmentBytesMax;
  }

  get poisonedBy(): SpoolPoisonedError | undefined {
    return this.#poisonedBy;
  }

  /**
   * Adds a frame to the next batch. The promise resolves when the frame is as durable as asked;
   * `committed` runs just before, in the order of the file.
   */
  append(
    frame: Buffer,
    committed?: (segment: number) => void,
    durability: Durability = 'synced',
  ): Promise<void> {
    if (this.#poisonedBy !== undefined) return Promise.reject(this.#poisonedBy);
    if (this.#closed) return Promise.reject(new Error('the usage spool is closed'));
    this.#next ??= createBatch();
    const batch = this.#next;
    if (durability === 'synced') batch.durability = 'synced';
    batch.frames.push(frame);
    if (committed !== undefined) batch.committed.push(committed);
    this.#running ??= this.#run();
    return batch.durable;
  }

  /** Resolves when everything that was appended so far is synced or the log is poisoned. */
  async flush(): Promise<void> {
    while (this.#running !== undefined) await this.#running;
    if (this.#syncedBytes === this.#segmentBytes || this.#poisonedBy !== undefined) return;
    this.#next = createBatch('synced');
    this.#running = this.#run();
    await this.flush();
  }

  /** Closes the file after what is under way; later appends are refused: others may have the disk. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.flush();
    const file = this.#file;
    this.#file = undefined;
    await file?.close();
  }

  async #run(): Promise<void> {
    while (this.#next !== undefined) {
      await this.#gather();
      const batch = this.#next;
      this.#next = undefined;
      try {
        await this.#commit(batch);
      } catch (error) {
        await this.#fail(error, batch);
        break;
      }
    }
    this.#running = undefined;
  }

  async #commit(batch: Batch): Promise<void> {
    const frames: Buffer[] = [];
    let file = this.#file;
    let { durability } = batch;
    if (file === undefined || this.#segmentBytes - this.#openingBytes >= this.#segmentBytesMax) {
      file = await this.#rotate();
      frames.push(...this.#hooks.openingFrames(this.#segment));
      this.#openingBytes = bytesOf(frames);
      // Older segments may go as soon as this one is known to say what must survive them.
      durability = 'synced';
    } else if (durability === 'synced') {
      frames.push(this.#hooks.headerFrame(this.#segment, this.#syncedBytes));
    }
    frames.push(...batch.frames);
    await file.append(frames);
    if (durability === 'synced') await file.fdatasync();
    const bytes = bytesOf(frames);
    this.#segmentBytes += bytes;
    if (durability === 'synced') this.#syncedBytes = this.#segmentBytes;
    this.#hooks.onWritten(this.#segment, bytes);
    for (const committed of batch.committed) committed(this.#segment);
    batch.resolve();
  }

  async #rotate(): Promise<DiskFile> {
    const previous = this.#file;
    // A tail that is torn in any segment but the newest counts as damage.
    if (this.#syncedBytes < this.#segmentBytes) await previous?.fdatasync();
    this.#file = undefined;
    await previous?.close();
    this.#segment += 1;
    this.#segmentBytes = 0;
    this.#syncedBytes = 0;
    const file = await this.#disk.open(segmentName(this.#segment), AHEAD_BYTES);
    await this.#disk.syncDirectory();
    this.#hooks.onSegment(this.#segment);
    this.#file = file;
    return file;
  }

  /**
   * The restart believes the file, so the batch that failed is taken out of it before anybody is
   * told. Nobody was promised anything of it. Batches before it stay, synced or not.
   */
  async #fail(cause: unknown, batch: Batch): Promise<void> {
    const error = new SpoolPoisonedError('the usage spool cannot be written', { cause });
    this.#poisonedBy = error;
    this.#hooks.onPoisoned(error);
    if (this.#file !== undefined) {
      const name = segmentName(this.#segment);
      await this.#disk.truncate(name, this.#segmentBytes).catch(this.#hooks.onTruncateFailed);
    }
    batch.reject(error);
    this.#next?.reject(error);
    this.#next = undefined;
  }
}

function bytesOf(frames: readonly Buffer[]): number {
  return frames.reduce((sum, frame) => sum + frame.length, 0);
}

function createBatch(durability: Durability = 'written'): Batch {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  // Not every append is awaited (checkpoints are not); `onPoisoned` tells everyone.
  promise.catch(() => {});
  return { durability, frames: [], committed: [], durable: promise, resolve, reject };
}
