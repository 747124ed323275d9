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
