import type { RevisionLog } from '@tollgate/mongo';
import type { PrincipalLog } from '../domain/ports';

/** The revision log, told in the words of the domain. */
export function createPrincipalLog(log: RevisionLog): PrincipalLog {
  return {
    revision: log.revision,
    async append(ids) {
      await log.append(ids);
    },
    subscribe: log.subscribe,
  };
}

/**
 * Starts the log and makes sure that it has a revision. A stream that is asked for what came after
 * 0 begins at the present: a caller that had really seen revision 0 would miss the first change.
 */
export async function startPrincipalLog(log: RevisionLog): Promise<void> {
  await log.start();
  if (log.revision() === 0n) await log.append([]);
}
