import { type Clock, createBoundedMap, type Logger } from '@tollgate/core';
import type { Account } from '../domain/account';
import type { ApiKey } from '../domain/api-key';
import type { AuditEntry, KeyFact } from '../domain/facts';
import type {
  AccountStore,
  ApiKeyStore,
  AuditStore,
  EventPublisher,
  IdentityEvent,
  PrincipalLog,
} from '../domain/ports';

export interface FactRelayOptions {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly accounts: AccountStore;
  readonly keys: ApiKeyStore;
  readonly audit: AuditStore;
  readonly principals: PrincipalLog;
  readonly events: EventPublisher;
}

/**
 * Tells the world what a written document says: first the gateways, whose caches must forget the
 * principal, then the audit and the event bus. Announcing twice is harmless.
 */
export interface FactRelay {
  /** Resolves when the gateways are told; the rest follows by itself. Never rejects. */
  announceKey(key: ApiKey): Promise<void>;
  announceAccount(account: Account): Promise<void>;
  /** Announces what a process that ended or a failed attempt left behind. */
  relayPending(): Promise<number>;
  /** Resolves when nothing that was begun still runs. */
  settled(): Promise<void>;
}

/** Facts younger than this are still being announced by the operation that recorded them. */
const OWN_ANNOUNCEMENT_MS = 2000;
const PENDING_BATCH = 100;
const REMEMBERED_MAX = 10_000;

export function createFactRelay(options: FactRelayOptions): FactRelay {
  const { clock, logger, accounts, keys, audit, principals, events } = options;
  // While the event bus is away the relay comes back to the same facts; gateways hear of each once.
  const pushed = createBoundedMap<string, true>(REMEMBERED_MAX);
  const published = createBoundedMap<string, true>(REMEMBERED_MAX);
  // One after the other, so that the facts of one key are published in their order.
  let rest: Promise<unknown> = Promise.resolve();

  const push = async (id: string, facts: readonly { readonly id: string }[]): Promise<void> => {
    const fresh = facts.filter((fact) => pushed.get(fact.id) === undefined);
    if (fresh.length === 0) return;
    await principals.append([id]);
    for (const fact of fresh) pushed.set(fact.id, true);
  };
  const pushKey = (key: ApiKey) => push(key.id, key.outbox.filter(isPushed));
  const pushAccount = (account: Account) => push(account.id, account.outbox);

  const publish = async (facts: readonly IdentityEvent[]): Promise<void> => {
    const fresh = facts.filter((fact) => published.get(fact.id) === undefined);
    if (fresh.length === 0) return;
    await events.publish(fresh);
    for (const fact of fresh) published.set(fact.id, true);
  };

  const finishKey = async (key: ApiKey): Promise<void> => {
    await audit.record(key.outbox.map((fact) => toAuditEntry(key, fact)));
    await publish(key.outbox.flatMap((fact) => toKeyEvents(key, fact)));
    await keys.clearOutbox(key);
  };

  const finishAccount = async (account: Account): Promise<void> => {
    await publish(toAccountEvents(account));
    await accounts.clearOutbox(account);
  };

  /** Runs after everything that was begun before it, and answers as the work does. */
  const inTurn = (work: () => Promise<void>): Promise<void> => {
    const turn = rest.then(work);
    rest = turn.catch(() => {});
    return turn;
  };

  const announce = async (
    subject: string,
    tellGateways: () => Promise<void>,
    finish: () => Promise<void>,
  ): Promise<void> => {
    const leaveToRelay = (error: unknown) =>
      logger.warn({ subject, error }, 'a fact could not be announced yet; the relay repeats it');
    try {
      await tellGateways();
    } catch (error) {
      // Clearing the outbox now would lose the push: everything is left to the relay.
      leaveToRelay(error);
      return;
    }
    void inTurn(finish).catch(leaveToRelay);
  };

  return {
    async announceKey(key) {
      if (key.outbox.length === 0) return;
      await announce(
        key.id,
        () => pushKey(key),
        () => finishKey(key),
      );
    },
    async announceAccount(account) {
      if (account.outbox.length === 0) return;
      await announce(
        account.id,
        () => pushAccount(account),
        () => finishAccount(account),
      );
    },
    async relayPending() {
      const due = clock.now() - OWN_ANNOUNCEMENT_MS;
      const isDue = (record: { readonly outbox: readonly { readonly at: number }[] }) =>
        record.outbox.every((fact) => fact.at <= due);
      const dueKeys = (await keys.listPending(PENDING_BATCH)).filter(isDue);
      const dueAccounts = (await accounts.listPending(PENDING_BATCH)).filter(isDue);
      // Gateways come first: a bus that is away must not hold a revocation back.
      for (const key of dueKeys) await pushKey(key);
      for (const account of dueAccounts) await pushAccount(account);
      for (const key of dueKeys) await inTurn(() => finishKey(key));
      for (const account of dueAccounts) await inTurn(() => finishAccount(account));
      return dueKeys.length + dueAccounts.length;
    },
    async settled() {
      await rest;
    },
  };
}

/** A key that was only created or is about to expire is in no cache that would be wrong. */
function isPushed(fact: KeyFact): boolean {
  return fact.kind !== 'key.created' && fact.kind !== 'key.expiring';
}

function toAuditEntry(key: ApiKey, fact: KeyFact): AuditEntry {
  const { id, at, kind, actorUserId, actorKeyId, fields } = fact;
  return {
    id,
    at,
    accountId: key.accountId,
    keyId: key.id,
    operation: kind,
    actorUserId,
    actorKeyId,
    fields,
  };
}

function toKeyEvents(key: ApiKey, fact: KeyFact): readonly IdentityEvent[] {
  if (fact.kind === 'key.updated') return [];
  const { id, at, kind: type, name, actorUserId } = fact;
  return [{ type, id, at, accountId: key.accountId, keyId: key.id, name, actorUserId }];
}

function toAccountEvents(account: Account): readonly IdentityEvent[] {
  return account.outbox.flatMap((fact): readonly IdentityEvent[] => {
    if (fact.kind !== 'plan.changed') return [];
    const { id, at, plan, previousPlan } = fact;
    return [{ type: 'plan.changed', id, at, accountId: account.id, plan, previousPlan }];
  });
}
