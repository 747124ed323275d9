import { eachAtOnce, NOTHING_FOUND, type RepeatedWork } from '@tollgate/jobs';
import type { DenialSpell } from '../domain/denials';
import { type DenialSpellsOptions, endSpell } from '../operations/denial-spells';

/** Spells that are read at once, and of those the ones that are ended beside each other. */
const PAGE = 100;
const ENDED_AT_ONCE = 8;

/**
 * Tells of all spells that are over, those that a process left half told among them. A failure is
 * rejected with: whatever is left is over in the next round as well.
 */
export function createEndDenialSpells(
  options: DenialSpellsOptions,
  intervalMs: number,
): RepeatedWork {
  const { denialSpells, clock } = options;
  return {
    name: 'end-denial-spells',
    intervalMs,
    async run(signal) {
      const atOnce = { atOnceMax: ENDED_AT_ONCE, signal };
      let found = 0;
      let page: readonly DenialSpell[];
      do {
        page = await denialSpells.listOver(clock.now(), PAGE);
        found += page.length;
        await eachAtOnce(page, atOnce, (spell) => endSpell(options, spell));
      } while (page.length === PAGE && !signal.aborted);
      return found === 0 ? NOTHING_FOUND : undefined;
    },
  };
}
