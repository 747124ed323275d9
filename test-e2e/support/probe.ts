import { connect } from 'node:net';
import { join } from 'node:path';
import { REPOSITORY } from './repository';
import { makeDirectory } from './temporary-directory';

/** What a process has done since its start. */
export interface ProcessCounts {
  /** Calls that wait for the disk. */
  readonly syncs: number;
  /** Garbage collections of any kind. */
  readonly collections: number;
  /** Writes by receiver: `grpc`, or the port; Kafka's produce requests apart. */
  readonly writes: Readonly<Record<string, number>>;
  readonly heapBytes: number;
}

/** How long a process held its event loop, milliseconds; waiting for a core counts as well. */
export interface LoopTurns {
  readonly longestMs: number;
  readonly p999Ms: number;
}

/** Looks into processes that were started with its environment. */
export interface Probe {
  readonly environment: Readonly<Record<string, string>>;
  counts(pid: number): Promise<ProcessCounts>;
  /** As `counts`, after the garbage was collected. */
  collect(pid: number): Promise<ProcessCounts>;
  /** Of the time since the last question. */
  turns(pid: number): Promise<LoopTurns>;
  remove(): void;
}

/** A probe for processes that are yet to be started; `options` are further ones for Node. */
export function createProbe(options: readonly string[] = []): Probe {
  const directory = makeDirectory();
  const program = join(REPOSITORY, 'test-e2e/support/probe-inside.cjs');
  const ask = async <Answer>(pid: number, command: string): Promise<Answer> => {
    const socket = connect(join(directory.path, `${pid}.sock`));
    socket.write(command);
    const chunks: Buffer[] = [];
    for await (const chunk of socket) chunks.push(chunk as Buffer);
    return JSON.parse(Buffer.concat(chunks).toString()) as Answer;
  };
  return {
    environment: {
      NODE_OPTIONS: [`--require=${program}`, ...options].join(' '),
      PROBE_DIRECTORY: directory.path,
    },
    counts: (pid) => ask(pid, 'counts'),
    collect: (pid) => ask(pid, 'collect'),
    turns: (pid) => ask(pid, 'turns'),
    remove: () => directory.remove(),
  };
}
