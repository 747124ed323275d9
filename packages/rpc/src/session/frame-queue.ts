/** Frames of one message; a frame that is larger alone goes alone. */
const MESSAGE_BYTES_MAX = 64 * 1024;
/** Of one message, which may have 16 MiB: beside its payload a frame has at most some kilobytes. */
const FRAMES_MAX = 512;

/** The way of the frames out of the queue. */
export interface FrameQueueOptions<Frame> {
  /** Sends one message; false when the transport takes no more until `resume` is called. */
  readonly write: (frames: Frame[]) => boolean;
  /** Everything that was pushed has been written. */
  readonly onEmpty?: () => void;
}

interface Batch<Frame> {
  readonly frames: Frame[];
  bytes: number;
  /** Of those that wait to hear that their frame was written. */
  readonly onWritten: (() => void)[];
}

/** A frame of so many bytes has no room in it. */
function isFull({ bytes, frames }: Batch<unknown>, more: number): boolean {
  return bytes + more > MESSAGE_BYTES_MAX || frames.length >= FRAMES_MAX;
}

/**
 * Frames that wait to leave. Those of one tick of the event loop leave in one message, because a
 * message costs far more than a frame; while the transport takes nothing they wait here.
 */
export class FrameQueue<Frame> {
  readonly #options: FrameQueueOptions<Frame>;
  #batches: Batch<Frame>[] = [];
  #bytes = 0;
  #scheduled = false;
  #flowing = true;
  #closed = false;

  constructor(options: FrameQueueOptions<Frame>) {
    this.#options = options;
  }

  /** Payload bytes that wait. */
  get bytes(): number {
    return this.#bytes;
  }

  get empty(): boolean {
    return this.#batches.length === 0;
  }

  /** False while the transport takes nothing. */
  get flowing(): boolean {
    return this.#flowing;
  }

  /** `onWritten` is called when the frame has been handed to the transport, or never will be. */
  push(frame: Frame, bytes: number, onWritten?: () => void): void {
    if (this.#closed) {
      onWritten?.();
      return;
    }
    let batch = this.#batches.at(-1);
    if (batch === undefined || isFull(batch, bytes)) {
      batch = { frames: [], bytes: 0, onWritten: [] };
      this.#batches.push(batch);
    }
    batch.frames.push(frame);
    batch.bytes += bytes;
    if (onWritten !== undefined) batch.onWritten.push(onWritten);
    this.#bytes += bytes;
    if (!this.#flowing) return;
    // A full message gains nothing by waiting, and whoever writes hears when it is too much.
    if (this.#bytes >= MESSAGE_BYTES_MAX) this.flush();
    else if (!this.#scheduled) {
      this.#scheduled = true;
      setImmediate(this.#flushScheduled);
    }
  }

  /** The transport takes nothing until `resume`. */
  hold(): void {
    this.#flowing = false;
  }

  /** The transport takes messages again. */
  resume(): void {
    this.#flowing = true;
    this.flush();
  }

  /** Writes what waits, as far as the transport takes it. */
  flush(): void {
    if (this.#closed || this.#batches.length === 0) return;
    while (this.#flowing) {
      const batch = this.#batches.shift();
      if (batch === undefined) break;
      this.#bytes -= batch.bytes;
      this.#flowing = this.#options.write(batch.frames);
      for (const onWritten of batch.onWritten) onWritten();
    }
    if (this.#batches.length === 0) this.#options.onEmpty?.();
  }

  /** Drops what waits; nothing is written any more. */
  close(): void {
    this.#closed = true;
    const dropped = this.#batches;
    this.#batches = [];
    this.#bytes = 0;
    for (const { onWritten } of dropped) for (const listener of onWritten) listener();
  }

  readonly #flushScheduled = () => {
    this.#scheduled = false;
    this.flush();
  };
}
