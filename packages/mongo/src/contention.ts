import { AppError } from '@tollgate/core';

/** The answer when others are always faster. */
export interface Contention {
  /** Eight without it. */
  readonly attemptsMax?: number;
  failure(): AppError;
}

const ATTEMPTS_MAX = 8;

/**
 * Reads, changes and writes until no other write came between: `attempt` answers undefined when
 * one did. Rejects with the failure when that goes on.
 */
export async function retryContended<Result>(
  attempt: () => Promise<Result | undefined>,
  { attemptsMax = ATTEMPTS_MAX, failure }: Contention,
): Promise<Result> {
  for (let made = 0; made < attemptsMax; made += 1) {
    const result = await attempt();
    if (result !== undefined) return result;
  }
  throw failure();
}

/** The same for a change by people of what `resource` names; who is too late gets a CONFLICT. */
export function retryChange<Result>(
  resource: string,
  attempt: () => Promise<Result | undefined>,
): Promise<Result> {
  const publicMessage = `The ${resource} is being changed by others. Please try again.`;
  const failure = () => new AppError('CONFLICT', { publicMessage, retryable: true });
  return retryContended(attempt, { failure });
}
