import { acquireLease, notifyOfRefusal } from './acquire-lease';
import { addCredits, adjustBalance } from './credits';
import { trimJournal } from './journal';
import { forgetKey } from './key-charges';
import { markRecall, retireLeases, sweepLeases, watermarkOf } from './lease-lifecycle';
import { settleRecords } from './settle-records';
import { rememberPlan, setThresholds } from './thresholds';

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
  rememberPlan,
  notifyOfRefusal,
  retireLeases,
  setThresholds,
  settleRecords,
  sweepLeases,
  trimJournal,
  watermarkOf,
};

export type AccountRules = typeof accountRules;
