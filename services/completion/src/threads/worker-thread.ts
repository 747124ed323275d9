import { Worker } from 'node:worker_threads';
import { type Clock, createOwnerQueues, type Timer } from '@tollgate/core';

/** Does one kind of work in a thread of its own, so that long work keeps no request waiting. */
export interface WorkerThread<Question, Answer> {
  /**
   * Rejects when the thread dies of the question, when no answer comes in time, or at the close.
   * Owners take turns: what one asks keeps the others waiting for one answer each time.
   */
  ask(question: Question, owner?: string): Promise<Answer>;
  /** The same, but whatever `ask` is asked meanwhile goes first. */
  askLast(question: Question): Promise<Answer>;
  /** Loads the program before anybody asks. */
  start(): void;
  /** For good: whoever waits, and whoever asks from now on, gets an error. */
  close(): Promise<void>;
}

export interface WorkerThreadOptions {
  readonly clock: Clock;
  /** A built file: a thread loads files as they are, whatever its owner was loaded from. */
  readonly program: string;
  /** What it does, for the sentences of failures: "counts tokens". */
  readonly does: string;
  readonly heapMegabytesMax: number;
}

interface PendingWork<Question, Answer> {
  readonly question: Question;
  readonly answer: PromiseWithResolvers<Answer>;
  readonly timer: Timer;
}

/** Nobody waits longer for an answer. */
const WAIT_MS_MAX = 5_000;
/**
 * The thread has so long for one question, however long that had waited. A thread that takes longer
 * is ended: its answer comes too late for everybody, and it may never come.
 */
const WORK_MS_MAX = WAIT_MS_MAX;
/** A new thread loads its program: from its start it has at least so long for its first answer. */
const LOAD_MS_MAX = 20_000;

/**
 * The thread is made at the first question and after its death. It is asked one thing at a time:
 * what waits costs nothing when nobody wants it any more, and a question that the thread dies of or
 * never answers takes no other with it.
 */
export function createWorkerThread<Question, Answer>({
  clock,
  does,
  heapMegabytesMax,
  program,
}: WorkerThreadOptions): WorkerThread<Question, Answer> {
  type Pending = PendingWork<Question, Answer>;
  const waiting = createOwnerQueues<Pending>();
  const waitingLast = createOwnerQueues<Pending>();
  let asked: Pending | undefined;
  let workTimer: Timer | undefined;
  let worker: Worker | undefined;
  let loadedByMonotonicMs = 0;
  let isClosed = false;
  const stops = () => new Error('the service stops');
  const tooLate = () => new Error(`the thread that ${does} did not answer in time`);

  const refuse = ({ answer, timer }: Pending, error: Error) => {
    timer.cancel();
    answer.reject(error);
  };
  const askNext = () => {
    if (asked !== undefined) return;
    const next = waiting.take() ?? waitingLast.take();
    if (next === undefined) return;
    asked = next;
    worker ??= startThread();
    const thread = worker;
    const workMs = Math.max(WORK_MS_MAX, loadedByMonotonicMs - clock.monotonicMs());
    workTimer = clock.schedule(workMs, () => {
      onDeath(thread, tooLate());
      void thread.terminate();
    });
    thread.postMessage(next.question);
  };
  const takeAsked = (): Pending | undefined => {
    const taken = asked;
    workTimer?.cancel();
    asked = undefined;
    return taken;
  };
  const onDeath = (thread: Worker, error: Error) => {
    if (worker !== thread) return;
    worker = undefined;
    const lost = takeAsked();
    if (lost !== undefined) refuse(lost, error);
    askNext();
  };
  const startThread = (): Worker => {
    loadedByMonotonicMs = clock.monotonicMs() + LOAD_MS_MAX;
    const thread = new Worker(program, {
      resourceLimits: { maxOldGenerationSizeMb: heapMegabytesMax },
    });
    thread.on('message', (answer: Answer) => {
      // A thread that was given up may have answered before it ended.
      if (worker !== thread) return;
      loadedByMonotonicMs = 0;
      const answered = takeAsked();
      answered?.timer.cancel();
      answered?.answer.resolve(answer);
      askNext();
    });
    thread.once('error', (error: Error) => onDeath(thread, error));
    thread.once('exit', () => onDeath(thread, new Error(`the thread that ${does} ended`)));
    // A process that has nothing else to do may end, but not while the thread still loads.
    thread.once('online', () => thread.unref());
    return thread;
  };
  const enqueue = (queue: typeof waiting, question: Question, owner: string): Promise<Answer> => {
    if (isClosed) return Promise.reject(stops());
    const answer = Promise.withResolvers<Answer>();
    const timer = clock.schedule(WAIT_MS_MAX, () => {
      queue.remove(owner, pending);
      answer.reject(tooLate());
    });
    const pending = { question, answer, timer };
    queue.add(owner, pending);
    askNext();
    return answer.promise;
  };
  return {
    ask: (question, owner = '') => enqueue(waiting, question, owner),
    askLast: (question) => enqueue(waitingLast, question, ''),
    start() {
      if (!isClosed) worker ??= startThread();
    },
    async close() {
      isClosed = true;
      const thread = worker;
      worker = undefined;
      const lost = takeAsked();
      if (lost !== undefined) refuse(lost, stops());
      for (const queue of [waiting, waitingLast]) {
        for (let next = queue.take(); next !== undefined; next = queue.take())
          refuse(next, stops());
      }
      await thread?.terminate();
    },
  };
}
