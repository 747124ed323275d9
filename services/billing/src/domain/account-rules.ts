import { acquireLease } from './acquire-lease';
import { addCredits, adjustBalance } from './credits';
import { forgetKey } from './key-spend';
import { markRecall } from './mark-recall';
import { noteDenial } from './note-denial';
import { retireLeases } from './retire';
import { settleRecords } from './settle-records';
import { sweepLeases } from './sweep';
import { trimJournal } from './trim-journal';
import { watermarkOf } from './watermark';

/**
 * Every rule that operations apply to an account. They are handed over as one value, so that the
 * model check can put a broken rule in the place of a true one and must notice.
 */
export const accountRules = {
  acquireLease,
  addCredits,
  adjustBalance,
  forgetKey,
  markRecall,
  noteDenial,
  retireLeases,
  settleRecords,
  sweepLeases,
  trimJournal,
  watermarkOf,
};

export type AccountRules = typeof accountRules;
