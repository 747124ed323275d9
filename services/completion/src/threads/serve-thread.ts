import { parentPort } from 'node:worker_threads';

/** What a thread answers: the result of its work, or why there is none. */
export type ThreadAnswer<Result> = { readonly result: Result } | { readonly fault: string };

/**
 * The counterpart of `createWorkerThread`, for the program of the thread: answers every question that
 * the thread is asked. A question that cannot be answered takes no other with it.
 */
export function serveThread<Question, Result>(work: (question: Question) => Result): void {
  parentPort?.on('message', (question: Question) => {
    parentPort?.postMessage(answerOf(work, question));
  });
}

function answerOf<Question, Result>(
  work: (question: Question) => Result,
  question: Question,
): ThreadAnswer<Result> {
  try {
    return { result: work(question) };
  } catch (error) {
    return { fault: error instanceof Error ? error.message : String(error) };
  }
}
