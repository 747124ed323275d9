import { AppError, type Logger } from '@tollgate/core';
import type { EndpointId } from '../domain/endpoint';

/**
 * Does something for one endpoint of many. True when it is done. A fault of the store is thrown
 * on, because it is everybody's and passes; any other fault is this endpoint's own, and would
 * come again for ever: it is logged and counted, and the others go on.
 */
export type SetAside = (endpointId: EndpointId, run: () => Promise<void>) => Promise<boolean>;

const PASSING: readonly unknown[] = ['SERVICE_UNAVAILABLE', 'DATABASE_ERROR'];

export function createSetAside(logger: Logger, onSetAside: () => void): SetAside {
  return async (endpointId, run) => {
    try {
      await run();
      return true;
    } catch (error) {
      if (error instanceof AppError && PASSING.includes(error.code)) throw error;
      onSetAside();
      logger.error(
        { endpointId, error },
        'set a webhook endpoint aside that cannot be worked with',
      );
      return false;
    }
  };
}
