import { connect } from 'node:net';
import { join } from 'node:path';
import { REPOSITORY } from './repository';
import { makeDirectory } from './temporary-directory';

/** What a process has done since its start. */
export interface ProcessCounts {
  /** Calls that wait for the disk. */
  readonly syncs: number;
  /** Messages to other services as `calls` and `answers`, else by port: Kafka's produce apart. */
  readonly writes: Readonly<Record<string, number>>;
}

/** How long a process held its event loop, milliseconds; waiting for a core counts as well. */
export interface LoopTicks {
  readonly longestMs: number;
  readonly p999Ms: number;
  /** What the longest one was spent on. */
  readonly ofLongest: TickParts;
  /** The one in which the thread worked most, however long it was. */
  readonly mostWork: TickParts;
}

/** What a tick of the event loop was spent on, milliseconds; what is left it spent asleep. */
export interface TickParts {
  /** On a core, pauses of the garbage collector included. */
  readonly workMs: number;
  /** Pauses of the garbage collector, never more than all work. */
  readonly collectedMs: number;
  /** Ready, while others had the core. */
  readonly waitedMs: number;
}

/** Looks into processes that were started with its environment. */
export interface Meter {
  readonly environment: Readonly<Record<string, string>>;
  counts(pid: number): Promise<ProcessCounts>;
  /** Begins to look at what is allocated. */
  sample(pid: number): Promise<void>;
  /** Bytes allocated since `sample`, freed or not, estimated from many samples. */
  sampledBytes(pid: number): Promise<number>;
  /** Of the time since the last question. */
  ticks(pid: number): Promise<LoopTicks>;
  remove(): void;
}

/** A meter of processes that are yet to be started. */
export function createMeter(): Meter {
  const directory = makeDirectory();
  const program = join(REPOSITORY, 'test-e2e/support/process-meter-inside.cjs');
  const ask = async <Answer>(pid: number, command: string): Promise<Answer> => {
    const socket = connect(join(directory.path, `${pid}.sock`));
    socket.write(command);
    const chunks: Buffer[] = [];
    for await (const chunk of socket) chunks.push(chunk as Buffer);
    return JSON.parse(Buffer.concat(chunks).toString()) as Answer;
  };
  return {
    environment: {
      NODE_OPTIONS: `--require=${program}`,
      METER_DIRECTORY: directory.path,
    },
    counts: (pid) => ask(pid, 'counts'),
    async sample(pid) {
      await ask(pid, 'sample');
    },
    sampledBytes: async (pid) => (await ask<{ readonly bytes: number }>(pid, 'sampled')).bytes,
    ticks: (pid) => ask(pid, 'ticks'),
    remove: () => directory.remove(),
  };
}
