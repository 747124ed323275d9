import type { Logger } from '@tollgate/core';
import { isolateOne } from '@tollgate/jobs';
import type { EndpointId } from '../domain/endpoint';

/**
 * Does something for one endpoint of many. True when it is done. A fault of the store is thrown
 * on, because it is everybody's and passes; any other fault is this endpoint's own, and would
 * come again for ever: it is logged and counted, and the others go on. Who has to come back to the
 * endpoint puts it into quarantine.
 */
export type RunIsolated = (endpointId: EndpointId, run: () => Promise<void>) => Promise<boolean>;

export function createRunIsolated(logger: Logger, onFault: () => void): RunIsolated {
  return (endpointId, run) =>
    isolateOne(run, (error) => {
      onFault();
      logger.error({ endpointId, error }, 'passed over a webhook endpoint that fails by itself');
    });
}
