import { availableParallelism } from 'node:os';

const THREADS_MIN = 8;
const THREADS_MAX = 64;
/** Two for each core, because most of the time they wait for a disk. */
const THREADS_PER_CORE = 2;

/**
 * Gives the process enough threads for what would else wait in one line: syncs of the spool,
 * password hashes, look-ups of names. Counts only before the first of them; what the operator set
 * stays.
 */
export function sizeThreadPool(): void {
  const wanted = availableParallelism() * THREADS_PER_CORE;
  const threads = Math.min(THREADS_MAX, Math.max(THREADS_MIN, wanted));
  process.env.UV_THREADPOOL_SIZE ??= String(threads);
}
