import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  createFakeClock,
  type FakeClock,
  makeTemporaryDirectory,
  type TemporaryDirectory,
} from '@tollgate/testkit';
import { createWorkerThread, type WorkerThread } from './worker-thread';

/** The thread answers with its own number, when the gate of the question is open. */
const PROGRAM = `const { parentPort, threadId } = require('node:worker_threads');
parentPort.on('message', (gate) => {
  Atomics.wait(gate, 0, 0);
  parentPort.postMessage(threadId);
});`;

const createGate = () => new Int32Array(new SharedArrayBuffer(4));
const open = (gate: Int32Array) => {
  Atomics.store(gate, 0, 1);
  Atomics.notify(gate, 0);
};

let directory: TemporaryDirectory;
let clock: FakeClock;
let thread: WorkerThread<Int32Array, number>;

beforeEach(async () => {
  directory = await makeTemporaryDirectory();
  const program = join(directory.path, 'gates.js');
  await writeFile(program, PROGRAM);
  clock = createFakeClock();
  thread = createWorkerThread({ clock, program, does: 'waits at gates', heapMegabytesMax: 16 });
});

afterEach(async () => {
  await thread.close();
  await directory.remove();
});

const askOpen = () => {
  const gate = createGate();
  open(gate);
  return thread.ask(gate);
};

it('ends the thread of a question that never ends, and asks another one', async () => {
  const first = await askOpen();
  const endless = expect(thread.ask(createGate())).rejects.toThrow('in time');
  await clock.advance(5_000);
  await endless;
  expect(await askOpen()).not.toBe(first);
});

it('gives a new thread time to load, and ends it when its first question never ends', async () => {
  const endless = expect(thread.ask(createGate())).rejects.toThrow('in time');
  await clock.advance(5_000);
  await endless;
  const meanwhile = expect(askOpen()).rejects.toThrow('in time');
  await clock.advance(5_000);
  await meanwhile;
  await clock.advance(10_000);
  expect(await askOpen()).toEqual(expect.any(Number));
});

it('gives a thread that had time to load no more for its first question than for others', async () => {
  thread.start();
  await clock.advance(20_000);
  const endless = expect(thread.ask(createGate())).rejects.toThrow('in time');
  await clock.advance(5_000);
  await endless;
  expect(await askOpen()).toEqual(expect.any(Number));
});

it('gives a question all of its time, however long it had waited', async () => {
  const gates = [createGate(), createGate()] as const;
  const first = thread.ask(gates[0]);
  const waited = expect(thread.ask(gates[1])).rejects.toThrow('in time');
  await clock.advance(4_999);
  open(gates[0]);
  const asked = await first;
  await clock.advance(4_999);
  await waited;
  open(gates[1]);
  expect(await askOpen()).toBe(asked);
});

it('asks what its owners want in turn, whatever one of them asked before', async () => {
  const order: string[] = [];
  const first = createGate();
  const ask = (gate: Int32Array, owner: string) =>
    thread.ask(gate, owner).then(() => order.push(owner));
  const asked = [ask(first, 'crowd')];
  for (const owner of ['crowd', 'crowd', 'crowd', 'one', 'another']) {
    const gate = createGate();
    open(gate);
    asked.push(ask(gate, owner));
  }
  open(first);
  await Promise.all(asked);
  expect(order).toEqual(['crowd', 'crowd', 'one', 'another', 'crowd', 'crowd']);
});
