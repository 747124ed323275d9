import type { Delivery } from '../support/vendors/simulator';
import type { Attempt } from './attempt';
import type { AccountBooks, AuditReport, LedgerLine, StatsTotals } from './books';
import type { Outage } from './fault-system';
import type { Crash } from './supervisor';

/** All that is known when a run is over. */
export interface Evidence {
  readonly attempts: readonly Attempt[];
  readonly deliveries: readonly Delivery[];
  readonly accounts: readonly AccountBooks[];
  readonly audit: AuditReport;
  readonly outages: readonly Outage[];
  readonly crashes: readonly Crash[];
}

/** A promise that was broken. */
export interface Violation {
  readonly kind:
    | 'lost'
    | 'double'
    | 'overcharged'
    | 'negative'
    | 'drift'
    | 'stats'
    | 'budget'
    | 'credit'
    | 'hang'
    | 'refused'
    | 'slow'
    | 'bare refusal'
    | 'crash'
    | 'unsettled'
    | 'unclean stop';
  readonly accountId?: string;
  readonly requestId?: string;
  readonly text: string;
}

/** One request of the load with everything that anybody knows of it. */
export interface Request {
  readonly requestId: string;
  /** Undefined when the client was never told the id and no delivery leads to it. */
  readonly attempt: Attempt | undefined;
  /** Handed over by the vendor, all its calls together. */
  readonly deliveredTokens: number;
  readonly vendorCalls: number;
  readonly charges: readonly LedgerLine[];
}

/** Brings together what the client, the vendor and the ledger know of each request. */
export function joinRequests(evidence: Evidence): readonly Request[] {
  const byTag = new Map(evidence.attempts.map((attempt) => [attempt.tag, attempt]));
  const deliveries = new Map<string, Delivery[]>();
  for (const delivery of evidence.deliveries) {
    if (delivery.tag === null || !byTag.has(delivery.tag)) continue;
    append(deliveries, delivery.request_id, delivery);
  }
  const charges = new Map<string, LedgerLine[]>();
  for (const line of evidence.accounts.flatMap(chargesOf)) append(charges, line.requestId, line);
  const told = new Map<string, Attempt>();
  for (const attempt of evidence.attempts) {
    if (attempt.requestId !== undefined) told.set(attempt.requestId, attempt);
  }
  const ids = new Set([...deliveries.keys(), ...charges.keys()]);
  for (const [id, { tokens, finished }] of told) if (tokens > 0 || finished) ids.add(id);
  return [...ids].map((requestId) => {
    const calls = deliveries.get(requestId) ?? [];
    return {
      requestId,
      attempt: told.get(requestId) ?? byTag.get(calls[0]?.tag ?? ''),
      deliveredTokens: calls.reduce((sum, { tokens }) => sum + tokens, 0),
      vendorCalls: calls.length,
      charges: charges.get(requestId) ?? [],
    };
  });
}

/** The charges of an account, in the order of its ledger. */
export function chargesOf({ ledger }: AccountBooks): readonly LedgerLine[] {
  return ledger.filter(({ kind }) => kind === 'charge');
}

/** What statistics must say of an account. */
export function totalsOf(account: AccountBooks): StatsTotals {
  const totals = { requests: 0, promptTokens: 0, completionTokens: 0, spendNano: 0n };
  for (const charge of chargesOf(account)) {
    totals.requests += 1;
    totals.promptTokens += charge.promptTokens;
    totals.completionTokens += charge.completionTokens;
    totals.spendNano += charge.amountNano;
  }
  return totals;
}

/** True when something of this kind overlapped with the request. */
export function wasHit(
  { fromMs, untilMs }: Attempt,
  outages: readonly Outage[],
  isMeant: (outage: Outage) => boolean,
): boolean {
  return outages.some(
    (outage) => isMeant(outage) && outage.fromMs <= untilMs && outage.untilMs >= fromMs,
  );
}

function append<Item>(map: Map<string, Item[]>, key: string, item: Item): void {
  const items = map.get(key);
  if (items === undefined) map.set(key, [item]);
  else items.push(item);
}
