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
  /** Begins nothing more; what is left stays in the outboxes. */
  stop(): Promise<void>;
}

/** Facts younger than this are still being announced by the operation that recorded them. */
const OWN_ANNOUNCEMENT_MS = 2000;
const PENDING_BATCH = 100;
/** After a failure announcements are left to the relay for that long: they would only queue up. */
const AWAY_MS = 5000;

export function createFactRelay(options: FactRelayOptions): FactRelay {
  const { clock, logger, accounts, keys } = options;
  const notices = createGatewayNotices(options.principals);
  const publisher = createFactPublisher(options);
  const turns = createTurns(clock);

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
    void turns.runUnlessAway(publish).catch(leaveToRelay);
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
      for (const key of dueKeys) await turns.run(() => publisher.ofKey(key));
      for (const account of dueAccounts) await turns.run(() => publisher.ofAccount(account));
      return dueKeys.length + dueAccounts.length;
    },
    settled: turns.settled,
    stop: turns.stop,
  };
}

/** Runs works one after the other, so that the facts of one key are published in their order. */
function createTurns(clock: Clock) {
  let rest: Promise<unknown> = Promise.resolve();
  let awayUntilMs = Number.NEGATIVE_INFINITY;
  let stopped = false;
  const run = (work: () => Promise<void>): Promise<void> => {
    const turn = rest.then(work);
    rest = turn.catch(() => {
      awayUntilMs = clock.monotonicMs() + AWAY_MS;
    });
    return turn;
  };
  const settled = async (): Promise<void> => {
    await rest;
  };
  return {
    run,
    runUnlessAway: (work: () => Promise<void>) =>
      run(async () => {
        if (!stopped && clock.monotonicMs() >= awayUntilMs) await work();
      }),
    settled,
    async stop() {
      stopped = true;
      await settled();
    },
  };
}

function isOlderThan(due: number) {
  return (record: { readonly outbox: readonly { readonly at: number }[] }): boolean =>
    record.outbox.every((fact) => fact.at <= due);
}
