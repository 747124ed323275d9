import { isId } from '@tollgate/core';
import { invalid } from '../domain/invalid';
import type { Dependencies } from './dependencies';
import type { LastUseTracker } from './track-last-use';

export interface KeyUse {
  readonly keyId: string;
  readonly at: number;
}

const USES_MAX = 1000;

/** Notes which keys a gateway saw: of those that it remembers it does not ask. */
export function createReportKeyUses(
  deps: Pick<Dependencies, 'clock'> & { readonly lastUse: LastUseTracker },
) {
  return async (uses: readonly KeyUse[]): Promise<void> => {
    if (uses.length > USES_MAX) throw invalid('uses', `uses has more than ${USES_MAX} members.`);
    const now = deps.clock.now();
    for (const { keyId, at } of uses) {
      // Clocks differ: nothing was used later than now.
      if (isId('apiKey', keyId)) deps.lastUse.note(keyId, Math.min(at, now));
    }
  };
}
