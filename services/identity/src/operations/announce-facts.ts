import type { Clock, Logger } from '@tollgate/core';
import type { Account } from '../domain/account';
import type { ApiKey } from '../domain/api-key';
import type { PrincipalLog } from '../domain/ports';
import { createFactPublisher, type FactPublisherOptions } from './publish-facts';
import { createGatewayNotices } from './tell-gateways';

export interface FactRelayOptions extends FactPublisherOptions {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly principals: PrincipalLog;
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

export function createFactRelay(options: FactRelayOptions): FactRelay {
  const { clock, logger, accounts, keys } = options;
  const notices = createGatewayNotices(options.principals);
  const publisher = createFactPublisher(options);
  // One after the other, so that the facts of one key are published in their order.
  let rest: Promise<unknown> = Promise.resolve();
  const inTurn = (work: () => Promise<void>): Promise<void> => {
    const turn = rest.then(work);
    rest = turn.catch(() => {});
    return turn;
  };

  const announce = async (
    subject: string,
    tellGateways: () => Promise<void>,
    publish: () => Promise<void>,
  ): Promise<void> => {
    const leaveToRelay = (error: unknown) =>
      logger.warn({ subject, error }, 'a fact could not be announced yet; the relay repeats it');
    try {
      await tellGateways();
    } catch (error) {
      // Emptying the outbox now would lose the notice: everything is left to the relay.
      leaveToRelay(error);
      return;
    }
    void inTurn(publish).catch(leaveToRelay);
  };
  const announceKey = (key: ApiKey) =>
    announce(
      key.id,
      () => notices.ofKey(key),
      () => publisher.ofKey(key),
    );
  const announceAccount = (account: Account) =>
    announce(
      account.id,
      () => notices.ofAccount(account),
      () => publisher.ofAccount(account),
    );

  return {
    announceKey: async (key) => {
      if (key.outbox.length > 0) await announceKey(key);
    },
    announceAccount: async (account) => {
      if (account.outbox.length > 0) await announceAccount(account);
    },
    async relayPending() {
      const due = clock.now() - OWN_ANNOUNCEMENT_MS;
      const dueKeys = (await keys.listPending(PENDING_BATCH)).filter(isOlderThan(due));
      const dueAccounts = (await accounts.listPending(PENDING_BATCH)).filter(isOlderThan(due));
      // Gateways come first: a bus that is away must not hold a revocation back.
      for (const key of dueKeys) await notices.ofKey(key);
      for (const account of dueAccounts) await notices.ofAccount(account);
      for (const key of dueKeys) await inTurn(() => publisher.ofKey(key));
      for (const account of dueAccounts) await inTurn(() => publisher.ofAccount(account));
      return dueKeys.length + dueAccounts.length;
    },
    async settled() {
      await rest;
    },
  };
}

function isOlderThan(due: number) {
  return (record: { readonly outbox: readonly { readonly at: number }[] }): boolean =>
    record.outbox.every((fact) => fact.at <= due);
}
