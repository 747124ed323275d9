import type { JournalItem } from './journal';

/**
 * A journal item that listeners were not told yet. An entry is named by its sequence, because it
 * stands in the ledger for ever; a notice stands nowhere else.
 */
export type OutboxItem =
  | { readonly kind: 'entry'; readonly no: number; readonly seq: number }
  | Extract<JournalItem, { kind: 'notice' }>;

/** Items of one account that were brought out of its journal together, in the order of `no`. */
export interface OutboxBatch {
  /** Sorts by account and number, so that an account's items are published in their order. */
  readonly id: string;
  readonly accountId: string;
  readonly items: readonly OutboxItem[];
}

const NO_DIGITS = 16;

/** The batch of these items, of which there is at least one; the same items have the same id. */
export function toOutboxBatch(accountId: string, items: readonly JournalItem[]): OutboxBatch {
  const places = [items[0]?.no ?? 0, items.at(-1)?.no ?? 0];
  const [first, last] = places.map((no) => String(no).padStart(NO_DIGITS, '0'));
  return {
    id: `${accountId}:${first}-${last}`,
    accountId,
    items: items.map((item): OutboxItem => {
      if (item.kind === 'notice') return item;
      return { kind: 'entry', no: item.no, seq: item.entry.seq };
    }),
  };
}
