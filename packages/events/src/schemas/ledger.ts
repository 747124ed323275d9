import { SETTLED_REASONS } from '@tollgate/core';
import { z } from 'zod';
import {
  creditIdentifier,
  ITEMS_PER_EVENT_MAX,
  identifier,
  isoTime,
  nanoAmount,
  ordinal,
  shortText,
  signedNanoAmount,
} from './primitives';
import { usageRecord } from './usage';

const entry = {
  account_id: identifier,
  seq: ordinal.describe("Place in the account's ledger, gapless from 1."),
  amount: nanoAmount,
  at: isoTime,
};

const charge = z
  .object({
    record: usageRecord.describe('The whole usage record that was settled, free ones too.'),
    charged: nanoAmount.describe('What the account paid.'),
    absorbed: nanoAmount.describe('What was priced but could not be charged.'),
    overrun: nanoAmount.describe('What the tokens cost beyond what was reserved for them.'),
    settled_reason: z
      .enum(SETTLED_REASONS)
      .describe('In what state the record found its lease, or refused when it made no sense.'),
  })
  .describe('The charge and the usage record behind it.');

const credit = z
  .object({ credit_id: creditIdentifier, note: shortText.nullable() })
  .describe('The credit that was added.');

/** One line of an account's ledger, in order; adjustments stand between them. */
export const ledgerEntryPosted = z
  .discriminatedUnion('kind', [
    z.object({ ...entry, kind: z.literal('charge'), charge, credit: z.null() }),
    z.object({ ...entry, kind: z.literal('credit'), charge: z.null(), credit }),
  ])
  .describe("One entry of an account's ledger was posted: a charge or a credit.");

/** A report of billing on one account's ledger. */
export const ledgerBatchPosted = z
  .object({
    entries: z
      .array(ledgerEntryPosted)
      .min(1)
      .max(ITEMS_PER_EVENT_MAX)
      .describe('In the order of the ledger, where adjustments may stand between batches.'),
  })
  .describe('Several entries of one ledger; consumers read each as one ledger.entry_posted.');

/**
 * The other kind of line, as an event of its own: a consumer of the version before skips a type
 * that it does not know, and would make a dead letter of a known one that it cannot read.
 */
export const ledgerAdjustmentPosted = z
  .object({
    ...entry,
    amount: signedNanoAmount.describe('What was added, or taken back when below 0.'),
    adjustment_id: identifier,
    reason: shortText,
  })
  .describe('An operator adjusted a balance: one entry of the ledger, neither charge nor credit.');

export type LedgerAdjustmentPosted = z.infer<typeof ledgerAdjustmentPosted>;
export type LedgerEntryPosted = z.infer<typeof ledgerEntryPosted>;

/** The id of the event that an entry is, alone or in a batch: one that is repeated shows it. */
export function ledgerEventId(accountId: string, seq: number): string {
  return `evt_${accountId}_ledger_${seq}`;
}
