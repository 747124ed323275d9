import type { Logger } from '@tollgate/core';
import { forEachFound, isolateOne, type PageStart, type RepeatedWork } from '@tollgate/jobs';
import type { DeliveryStore, Erasure, ErasureStore } from '../domain/ports';

const ERASURES_PAGE = 100;
/** Of one account in a round: accounts that are erased later do not wait for all of its. */
const REMOVALS_PER_ROUND = 100;

/** Removes the deliveries of erased accounts, a bounded number at a time. */
export function createRemoveDeliveries({
  erasures,
  deliveries,
  logger,
}: {
  readonly erasures: ErasureStore;
  readonly deliveries: Pick<DeliveryStore, 'removeSomeOf'>;
  readonly logger: Logger;
}): RepeatedWork['run'] {
  const removeOf = async (erasure: Erasure, signal: AbortSignal): Promise<void> => {
    for (let count = 0; count < REMOVALS_PER_ROUND; count += 1) {
      if (signal.aborted) return;
      if (!(await deliveries.removeSomeOf(erasure.accountId))) {
        await erasures.end(erasure);
        return;
      }
    }
  };
  return (signal) => {
    const listOpen = ({ after, limit }: PageStart<Erasure>) =>
      erasures.listOpen({ after: after?.accountId, limit });
    const oneByOne = { pageSize: ERASURES_PAGE, atOnceMax: 1, signal };
    return forEachFound(listOpen, oneByOne, (erasure) =>
      isolateOne(
        () => removeOf(erasure, signal),
        (error) => {
          const { accountId } = erasure;
          logger.error({ accountId, error }, 'deliveries of an erased account stay');
        },
      ),
    );
  };
}
