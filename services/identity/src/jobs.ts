import { type Clock, delay, type Logger } from '@tollgate/core';

/** Work that is repeated until the signal aborts; one failed round does not end it. */
export interface RepeatedWork {
  /** For logs. */
  readonly name: string;
  readonly intervalMs: number;
  run(): Promise<unknown>;
}

export async function repeat(
  work: RepeatedWork,
  host: { readonly clock: Clock; readonly logger: Logger },
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    await work.run().catch((error: unknown) => {
      host.logger.warn({ job: work.name, error }, 'a background job failed and is repeated');
    });
    await delay(host.clock, work.intervalMs, signal).catch(() => {});
  }
}
