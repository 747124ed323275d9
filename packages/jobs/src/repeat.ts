import { type Clock, delay, type Logger } from '@tollgate/core';

/** Work that is done again and again. */
export interface RepeatedWork {
  /** For logs. */
  readonly name: string;
  /** Between the end of one round and the begin of the next, milliseconds. */
  readonly intervalMs: number;
  /** The first round comes after an interval, not at once. */
  readonly waitFirst?: boolean;
  run(signal: AbortSignal): Promise<unknown>;
}

/** What background work needs of its process. */
export interface JobHost {
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Repeats the work until the signal aborts; a round that fails is logged and does not end it. */
export async function repeat(
  { name, intervalMs, waitFirst = false, run }: RepeatedWork,
  { clock, logger }: JobHost,
  signal: AbortSignal,
): Promise<void> {
  const pause = () => delay(clock, intervalMs, signal).catch(() => {});
  if (waitFirst) await pause();
  while (!signal.aborted) {
    await run(signal).catch((error: unknown) => {
      if (!signal.aborted) logger.warn({ job: name, error }, 'a background job failed');
    });
    await pause();
  }
}
