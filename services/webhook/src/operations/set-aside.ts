import { AppError, type Logger } from '@tollgate/core';

/** What can be set aside: the label of the metric. */
export type SetAsideKind = 'endpoint' | 'event';

/**
 * Does it for one of many. True when it is done. A fault of the store is thrown on, because it is
 * everybody's and passes; any other fault is this one's own, and would come again for ever: it is
 * logged and counted, and the others go on.
 */
export type SetAside = (
  kind: SetAsideKind,
  which: Readonly<Record<string, string>>,
  run: () => Promise<void>,
) => Promise<boolean>;

const PASSING: readonly unknown[] = ['SERVICE_UNAVAILABLE', 'DATABASE_ERROR'];

export function createSetAside(logger: Logger, onSetAside: (kind: SetAsideKind) => void): SetAside {
  return async (kind, which, run) => {
    try {
      await run();
      return true;
    } catch (error) {
      if (error instanceof AppError && PASSING.includes(error.code)) throw error;
      onSetAside(kind);
      logger.error({ ...which, kind, error }, 'set aside: it cannot be worked with');
      return false;
    }
  };
}
