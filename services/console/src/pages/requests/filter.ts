import type { LedgerEntry } from '../../api/schemas';

/** Which requests are shown; undefined takes all. */
export interface RequestFilter {
  readonly model: string | undefined;
  readonly keyId: string | undefined;
  readonly outcome: Outcome;
  /** A part of the request's id. */
  readonly id: string | undefined;
}

export const OUTCOMES = ['all', 'answered', 'cut', 'failed'] as const;
export type Outcome = (typeof OUTCOMES)[number];

const ANSWERED: ReadonlySet<string> = new Set(['stop', 'tool_calls']);
const CUT: ReadonlySet<string> = new Set(['length', 'content_filter', 'client_gone', 'deadline']);

/** What became of a request, by why it ended. */
export function outcomeOf(reason: string | null): Exclude<Outcome, 'all'> {
  if (reason !== null && ANSWERED.has(reason)) return 'answered';
  return reason !== null && CUT.has(reason) ? 'cut' : 'failed';
}

/** The requests among ledger entries that fit. */
export function filterRequests(
  entries: readonly LedgerEntry[],
  filter: RequestFilter,
): readonly LedgerEntry[] {
  return entries.filter(
    (entry) =>
      isRequest(entry) &&
      (filter.model === undefined || entry.model === filter.model) &&
      (filter.keyId === undefined || entry.key_id === filter.keyId) &&
      (filter.outcome === 'all' || outcomeOf(entry.reason) === filter.outcome) &&
      (filter.id === undefined || entry.request_id?.includes(filter.id) === true),
  );
}

/** Credits and adjustments stand in the ledger too. */
export function isRequest(entry: LedgerEntry): boolean {
  return entry.kind === 'charge' && entry.request_id !== null;
}
