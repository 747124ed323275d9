import { findAll, runMongoCommand } from '../engines/mongodb-wire';
import { DATABASE } from '../topologies/separate';
import type { FaultSystem } from './fault-system';

// What no answer of the API tells is read from the store itself, which must be a MongoDB server.

/** How much waits in the journals of all accounts: no answer of the API tells. */
export interface Journals {
  readonly longest: number;
  readonly items: number;
}

export async function readJournals(system: FaultSystem): Promise<Journals> {
  const answer = await runMongoCommand(await system.findMongodbPort(), DATABASE, {
    aggregate: 'billing_accounts',
    pipeline: [
      { $project: { length: { $size: '$journal' } } },
      { $group: { _id: 1, longest: { $max: '$length' }, items: { $sum: '$length' } } },
    ],
    cursor: {},
  });
  const { firstBatch } = answer.cursor as { readonly firstBatch: readonly Journals[] };
  const [found] = firstBatch;
  return { longest: Number(found?.longest ?? 0), items: Number(found?.items ?? 0) };
}

/** The requests that the ledger's collection holds, whatever still waits in journals. */
export async function readLedgerRequestIds(system: FaultSystem): Promise<ReadonlySet<string>> {
  const entries = await findAll(await system.findMongodbPort(), DATABASE, {
    find: 'billing_ledger',
    filter: { kind: 'charge' },
    projection: { _id: 0, 'record.request_id': 1 },
  });
  return new Set(
    entries.map((entry) => (entry as { record: { request_id: string } }).record.request_id),
  );
}

/** What the leader of billing has not told the bus yet; one is what a write posted to an account. */
export async function countOutbox(system: FaultSystem): Promise<number> {
  const count = { count: 'billing_outbox', query: {} };
  return Number((await runMongoCommand(await system.findMongodbPort(), DATABASE, count)).n);
}
