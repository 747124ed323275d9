import { createBoundedMap } from '@tollgate/core';
import type { Account } from '../domain/account';
import type { ApiKey } from '../domain/api-key';
import type { KeyFact } from '../domain/facts';
import type { PrincipalLog } from '../domain/ports';

/** Makes gateways forget a principal that changed; each fact is told once per process. */
export interface GatewayNotices {
  ofKey(key: ApiKey): Promise<void>;
  ofAccount(account: Account): Promise<void>;
}

const REMEMBERED_MAX = 10_000;

export function createGatewayNotices(principals: PrincipalLog): GatewayNotices {
  // While the event bus is away the relay comes back to the same facts: gateways need not.
  const told = createBoundedMap<string, true>(REMEMBERED_MAX);
  const tell = async (id: string, facts: readonly { readonly id: string }[]): Promise<void> => {
    const fresh = facts.filter((fact) => told.get(fact.id) === undefined);
    if (fresh.length === 0) return;
    await principals.append([id]);
    for (const fact of fresh) told.set(fact.id, true);
  };
  return {
    ofKey: (key) => tell(key.id, key.outbox.filter(changesPrincipal)),
    ofAccount: (account) => tell(account.id, account.outbox),
  };
}

/** A key that was only created or is about to expire is in no cache that would be wrong. */
function changesPrincipal(fact: KeyFact): boolean {
  return fact.kind !== 'key.created' && fact.kind !== 'key.expiring';
}
