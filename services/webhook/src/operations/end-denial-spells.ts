import type { Logger } from '@tollgate/core';
import { forEachFound, isolateOne, type PageStart, type RepeatedWork } from '@tollgate/jobs';
import type { DenialSpell } from '../domain/denial-spell';
import { type DenialSpellsOptions, endSpell } from './denial-spells';

/** Spells that are read at once, and of those the ones that are ended beside each other. */
const PAGE = 100;
const ENDED_AT_ONCE = 8;

/**
 * Tells of all spells that are over, those that a process left half told among them. One that fails
 * by itself is passed over; a failure that may pass is rejected with. Whatever is left is over in the
 * next round as well.
 */
export function createEndDenialSpells(
  options: DenialSpellsOptions & { readonly logger: Logger },
): RepeatedWork['run'] {
  const { denialSpells, clock, logger } = options;
  return async (signal) => {
    const atOnce = { pageSize: PAGE, atOnceMax: ENDED_AT_ONCE, signal };
    const now = clock.now();
    const listOver = (at: PageStart<DenialSpell>) => denialSpells.listOver(now, at);
    await forEachFound(listOver, atOnce, (spell) =>
      isolateOne(
        () => endSpell(options, spell),
        (error) => {
          const { accountId, status } = spell;
          logger.error({ accountId, status, error }, 'the end of denials cannot be told');
        },
      ),
    );
  };
}
