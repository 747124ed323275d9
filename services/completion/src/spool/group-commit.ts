import type { Disk, DiskFile } from './disk';

/** Nothing can be written any more: a write or a sync failed, and only a restart reads the truth. */
export class SpoolPoisonedError extends Error {
  override readonly name = 'SpoolPoisonedError';
}

/** What the log asks of its owner. */
export interface GroupCommitHooks {
  /** The first frames of a new segment: its header and what must survive the older segments. */
  openingFrames(segment: number): readonly Buffer[];
  /** A segment exists from now on. */
  onSegment(segment: number): void;
  /** Bytes were written to the segment, overhead included. */
  onWritten(segment: number, bytes: number): void;
  /** Called once, with the first failure. */
  onPoison(error: SpoolPoisonedError): void;
  /** What was being written stays in the file: the restart may find records that nobody waits for. */
  onNotTakenBack(this: void, error: unknown): void;
}

/** Appends that share one write and one sync. */
interface Group {
  readonly frames: Buffer[];
  readonly committed: ((segment: number) => void)[];
  readonly durable: Promise<void>;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

/** The file that a segment number names. */
export function segmentName(segment: number): string {
  return `segment-${String(segment).padStart(10, '0')}.spool`;
}

/** The number of a segment file, or undefined for another file. */
export function segmentOf(name: string): number | undefined {
  const match = /^segment-(\d{10})\.spool$/.exec(name);
  return match?.[1] === undefined ? undefined : Number(match[1]);
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
  readonly #hooks: GroupCommitHooks;
  readonly #segmentBytesMax: number;
  #file: DiskFile | undefined;
  #segment: number;
  /** Written and synced; what follows in the file was promised to nobody. */
  #segmentBytes = 0;
  #next: Group | undefined;
  #running: Promise<void> | undefined;
  #poison: SpoolPoisonedError | undefined;

  constructor(
    disk: Disk,
    options: { readonly firstSegment: number; readonly segmentBytesMax: number },
    hooks: GroupCommitHooks,
  ) {
    this.#disk = disk;
    this.#hooks = hooks;
    this.#segment = options.firstSegment - 1;
    this.#segmentBytesMax = options.segmentBytesMax;
  }

  get poison(): SpoolPoisonedError | undefined {
    return this.#poison;
  }

  /** The segment that is being written. */
  get segment(): number {
    return this.#segment;
  }

  /**
   * Adds a frame to the next group. The promise resolves when a completed sync covers the frame;
   * `committed` runs just before, in the order of the file.
   */
  append(frame: Buffer, committed?: (segment: number) => void): Promise<void> {
    if (this.#poison !== undefined) return Promise.reject(this.#poison);
    this.#next ??= createGroup();
    const group = this.#next;
    group.frames.push(frame);
    if (committed !== undefined) group.committed.push(committed);
    this.#running ??= this.#run();
    return group.durable;
  }

  /** Resolves when everything that was appended so far is durable or the log is poisoned. */
  async flush(): Promise<void> {
    while (this.#running !== undefined) await this.#running;
  }

  /** Closes the file after what is under way. */
  async close(): Promise<void> {
    await this.flush();
    const file = this.#file;
    this.#file = undefined;
    await file?.close();
  }

  async #run(): Promise<void> {
    // Appends of the same turn of the event loop join the first group.
    await Promise.resolve();
    while (this.#next !== undefined) {
      const group = this.#next;
      this.#next = undefined;
      try {
        await this.#commit(group);
      } catch (error) {
        await this.#fail(error, group);
        break;
      }
    }
    this.#running = undefined;
  }

  async #commit(group: Group): Promise<void> {
    const frames: Buffer[] = [];
    let file = this.#file;
    if (file === undefined || this.#segmentBytes >= this.#segmentBytesMax) {
      file = await this.#rotate();
      frames.push(...this.#hooks.openingFrames(this.#segment));
    }
    frames.push(...group.frames);
    await file.append(frames);
    await file.fdatasync();
    const bytes = frames.reduce((sum, frame) => sum + frame.length, 0);
    this.#segmentBytes += bytes;
    this.#hooks.onWritten(this.#segment, bytes);
    for (const committed of group.committed) committed(this.#segment);
    group.resolve();
  }

  async #rotate(): Promise<DiskFile> {
    const previous = this.#file;
    this.#file = undefined;
    await previous?.close();
    this.#segment += 1;
    this.#segmentBytes = 0;
    const file = await this.#disk.open(segmentName(this.#segment));
    await this.#disk.syncDirectory();
    this.#hooks.onSegment(this.#segment);
    this.#file = file;
    return file;
  }

  /**
   * The restart believes the file, so what failed is taken out of it before anybody is told.
   * Nothing of it had left: only what a completed sync covers was promised to anyone.
   */
  async #fail(cause: unknown, group: Group): Promise<void> {
    const poison = new SpoolPoisonedError('the usage spool cannot be written', { cause });
    this.#poison = poison;
    this.#hooks.onPoison(poison);
    if (this.#file !== undefined) {
      const name = segmentName(this.#segment);
      await this.#disk.truncate(name, this.#segmentBytes).catch(this.#hooks.onNotTakenBack);
    }
    group.reject(poison);
    this.#next?.reject(poison);
    this.#next = undefined;
  }
}

function createGroup(): Group {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  // Not every append is awaited (checkpoints are not); the poison reaches everyone by its hook.
  promise.catch(() => {});
  return { frames: [], committed: [], durable: promise, resolve, reject };
}
