import { createBoundedMap } from '@tollgate/core';
import type { Account } from '../domain/account';
import type { ApiKey } from '../domain/api-key';
import type { AuditEntry, KeyFact } from '../domain/facts';
import type {
  AccountStore,
  ApiKeyStore,
  AuditStore,
  EventPublisher,
  IdentityEvent,
} from '../domain/ports';

export interface FactPublisherOptions {
  readonly accounts: AccountStore;
  readonly keys: ApiKeyStore;
  readonly audit: AuditStore;
  readonly events: EventPublisher;
}

/** Takes facts from an outbox to the audit and the event bus, and then empties the outbox. */
export interface FactPublisher {
  ofKey(key: ApiKey): Promise<void>;
  ofAccount(account: Account): Promise<void>;
}

const REMEMBERED_MAX = 10_000;

export function createFactPublisher(options: FactPublisherOptions): FactPublisher {
  const { accounts, keys, audit, events } = options;
  // A change that comes before the outbox is emptied carries the earlier facts along.
  const published = createBoundedMap<string, true>(REMEMBERED_MAX);
  const publish = async (facts: readonly IdentityEvent[]): Promise<void> => {
    const fresh = facts.filter((fact) => published.get(fact.id) === undefined);
    if (fresh.length === 0) return;
    await events.publish(fresh);
    for (const fact of fresh) published.set(fact.id, true);
  };
  return {
    async ofKey(key) {
      await audit.record(key.outbox.map((fact) => toAuditEntry(key, fact)));
      await publish(key.outbox.flatMap((fact) => toKeyEvents(key, fact)));
      await keys.clearOutbox(key);
    },
    async ofAccount(account) {
      await publish(toAccountEvents(account));
      await accounts.clearOutbox(account);
    },
  };
}

function toAuditEntry(key: ApiKey, fact: KeyFact): AuditEntry {
  const { id, at, kind: operation, actorUserId, actorKeyId, fields } = fact;
  const { accountId, id: keyId } = key;
  return { id, at, accountId, keyId, operation, actorUserId, actorKeyId, fields };
}

function toKeyEvents(key: ApiKey, fact: KeyFact): readonly IdentityEvent[] {
  if (fact.kind === 'key.updated') return [];
  const { id, at, kind: type, name, actorUserId } = fact;
  const { accountId, id: keyId } = key;
  const deleted = fact.deleted === true;
  return [{ type, id, at, accountId, keyId, name, actorUserId, deleted }];
}

function toAccountEvents(account: Account): readonly IdentityEvent[] {
  return account.outbox.flatMap((fact): readonly IdentityEvent[] => {
    if (fact.kind !== 'plan.changed') return [];
    const { id, at, plan, previousPlan } = fact;
    return [{ type: 'plan.changed', id, at, accountId: account.id, plan, previousPlan }];
  });
}
