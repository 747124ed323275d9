import { AppError, EventKeysRefused } from '@tollgate/core';
import { NO_KEY } from '@tollgate/mongo';
import { waitFor } from '@tollgate/testkit';
import { changeAccount } from '../domain/account';
import { recordExpiryNotice } from '../domain/api-key';
import { changeBy } from '../domain/events';
import { COLLECTIONS } from '../storage/collections';
import {
  type IdentityFixture,
  leaveUnpublishedKeys,
  startIdentityFixture,
} from '../testing/identity-fixture';

/** More than two pages of what a job reads at once. */
const MANY = 250;

let identity: IdentityFixture;
let busIsDown: boolean;
let publications: number;
/** A key whose events the bus refuses for a reason of their own. */
let refusedKeyId: string;
/** The accounts whose partition of the bus takes nothing. */
let refusedAccounts: ReadonlySet<string>;

beforeEach(async () => {
  busIsDown = false;
  publications = 0;
  refusedKeyId = '';
  refusedAccounts = new Set();
  identity = await startIdentityFixture({}, (bus) => ({
    ...bus,
    async publish(batch, options) {
      publications += 1;
      if (busIsDown) throw new AppError('SERVICE_UNAVAILABLE');
      if (refusedKeyId !== '' && JSON.stringify(batch).includes(refusedKeyId)) {
        throw new Error('an event that no bus takes');
      }
      const accepted = batch.filter(({ key }) => !refusedAccounts.has(key));
      await bus.publish(accepted, options);
      if (accepted.length < batch.length) throw new EventKeysRefused(refusedAccounts, {});
    },
  }));
});

afterEach(() => identity.close());

const forever = new AbortController().signal;
const notifyGateways = () => identity.adapters.relay.notifyPending(forever);
const publish = () => identity.adapters.relay.publishPending(forever);

const leaveKeys = (count: number) => leaveUnpublishedKeys(identity, count);

/** Does the work while gateways cannot be notified. */
async function whileDeaf(work: () => Promise<unknown>): Promise<void> {
  const { principalLog } = identity.adapters;
  const { append } = principalLog;
  Object.assign(principalLog, { append: () => Promise.reject(new AppError('DATABASE_ERROR')) });
  await work();
  Object.assign(principalLog, { append });
}

/** Revokes a new key while gateways cannot be notified. */
async function revokeUnheard(): Promise<string> {
  const { relay } = identity.adapters;
  const { actor } = await identity.makeUser();
  const settings = { name: 'revoked' };
  const { key } = await identity.operations.createApiKey({ actor, settings, idempotency: NO_KEY });
  await relay.idle();
  await whileDeaf(() => identity.operations.deleteApiKey({ actor, keyId: key.id }));
  await relay.idle();
  return key.id;
}

/** The ids of which gateways hear from now on. */
function hearGateways(): readonly string[] {
  const { principalLog } = identity.adapters;
  const heard: string[] = [];
  principalLog.subscribe(principalLog.revision(), ({ changes }) => void heard.push(...changes));
  return heard;
}

test('what happened to accounts does not wait until the events of all keys are published', async () => {
  const { accounts, keys } = identity.adapters;
  const { actor } = await identity.makeUser();
  await identity.adapters.relay.idle();
  const account = await accounts.find(actor.accountId);
  if (account === undefined) throw new Error('a person has an account');
  const source = changeBy(undefined, identity.clock.now());
  const changed = changeAccount(account, { plan: 'enterprise' }, source);
  if (changed === undefined) throw new Error('the plan changes');
  await accounts.update(changed);
  await leaveKeys(MANY);
  await identity.clock.advance(3_000);
  const { clearOutbox } = keys;
  const stuck = Promise.withResolvers<void>();
  Object.assign(keys, {
    async clearOutbox(key: Parameters<typeof clearOutbox>[0]) {
      await stuck.promise;
      await clearOutbox(key);
    },
  });
  const published = publish();
  try {
    await waitFor(async () => (await accounts.find(actor.accountId))?.outbox.length === 0);
  } finally {
    stuck.resolve();
    await published;
  }
});

describe('gateways', () => {
  test('hear of every revocation while the event bus is away, however many events wait', async () => {
    busIsDown = true;
    const revoked = await revokeUnheard();
    await leaveKeys(MANY);
    const heard = hearGateways();
    await notifyGateways();
    expect(heard).toEqual([revoked]);
    await notifyGateways();
    expect(heard).toEqual([revoked]);
  });

  test('hear of a revocation although its event is published and another change followed', async () => {
    const revoked = await revokeUnheard();
    const { keys } = identity.adapters;
    const key = await keys.find(revoked);
    expect(key?.outbox).toEqual([]);
    if (key === undefined) throw new Error('a revoked key has a record');
    const source = changeBy(undefined, identity.clock.now());
    await keys.update(recordExpiryNotice(key, 7, source));
    const heard = hearGateways();
    await notifyGateways();
    expect(heard).toEqual([revoked]);
  });

  test('hear of an account that was changed while they could not be notified', async () => {
    const { accounts } = identity.adapters;
    const { actor } = await identity.makeUser();
    const account = await accounts.find(actor.accountId);
    if (account === undefined) throw new Error('a person has an account');
    const source = changeBy(undefined, identity.clock.now());
    const suspended = changeAccount(account, { status: 'suspended' }, source);
    if (suspended === undefined) throw new Error('the status changes');
    await accounts.update(suspended);
    const heard = hearGateways();
    await whileDeaf(() => expect(notifyGateways()).rejects.toThrow());
    await notifyGateways();
    await notifyGateways();
    expect(heard).toEqual([actor.accountId]);
  });

  test('a change that cannot be marked as notified keeps no other from them', async () => {
    const refused = await revokeUnheard();
    const others = [await revokeUnheard(), await revokeUnheard()];
    const { keys } = identity.adapters;
    const { markNotified } = keys;
    Object.assign(keys, {
      markNotified: (record: { readonly id: string; readonly rev: number }) =>
        record.id === refused
          ? Promise.reject(new AppError('DATABASE_ERROR', { retryable: false }))
          : markNotified(record),
    });
    const heard = hearGateways();
    await notifyGateways();
    expect(new Set(heard)).toEqual(new Set([refused, ...others]));
    const left = await keys.listUnnotified({ after: undefined, limit: 10 });
    expect(left.map(({ id }) => id)).toEqual([refused]);
  });
});

describe('publishing', () => {
  test('while the event bus cannot be reached nothing piles up, and everything follows later', async () => {
    busIsDown = true;
    const { relay, keys } = identity.adapters;
    const { actor } = await identity.makeUser();
    for (const name of ['first', 'second', 'third']) {
      const settings = { name };
      await identity.operations.createApiKey({ actor, settings, idempotency: NO_KEY });
    }
    await relay.idle();
    expect(publications).toBe(1);
    await identity.clock.advance(5000);
    await expect(publish()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    busIsDown = false;
    await publish();
    expect(await identity.eventsOf('key.created', 3)).toHaveLength(3);
    expect(await keys.listPending({ after: undefined, limit: 10 })).toEqual([]);
  });

  test('one round publishes everything that waits', async () => {
    const ids = await leaveKeys(MANY);
    await identity.clock.advance(5000);
    await publish();
    const created = await identity.eventsOf('key.created', MANY);
    expect(created.map(({ data }) => 'key_id' in data && data.key_id).sort()).toEqual(
      [...ids].sort(),
    );
  });

  test('a key whose events cannot be published keeps no other waiting', async () => {
    const ids = await leaveKeys(3);
    refusedKeyId = ids[1] ?? '';
    await identity.clock.advance(5000);
    await publish();
    expect(await identity.eventsOf('key.created', 2)).toHaveLength(2);
    expect(await identity.metrics.expose()).toContain(
      'tollgate_identity_quarantined_total{destination="bus"} 1',
    );
    refusedKeyId = '';
    await identity.clock.advance(60_000);
    await publish();
    expect(await identity.eventsOf('key.created', 3)).toHaveLength(3);
  });

  test('a key whose document is damaged keeps no other waiting', async () => {
    const [damaged = '', ...others] = await leaveKeys(3);
    const keys = identity.mongo.connection.collection<{ _id: string }>(COLLECTIONS.apiKeys);
    await keys.updateOne({ _id: damaged }, { $set: { createdAt: 'yesterday' } });
    await identity.clock.advance(5000);
    await publish();
    const created = await identity.eventsOf('key.created', 2);
    expect(created.map(({ data }) => 'key_id' in data && data.key_id).sort()).toEqual(
      others.toSorted(),
    );
    expect(await identity.metrics.expose()).toContain(
      'tollgate_identity_quarantined_total{destination="bus"} 1',
    );
  });

  test('is not put off for others when the bus refuses an account', async () => {
    const { relay } = identity.adapters;
    const refused = (await identity.makeUser()).actor;
    const { actor } = await identity.makeUser();
    refusedAccounts = new Set([refused.accountId]);
    for (const by of [refused, actor]) {
      await identity.operations.createApiKey({
        actor: by,
        settings: { name: 'one' },
        idempotency: NO_KEY,
      });
      await relay.idle();
    }
    const [created] = await identity.eventsOf('key.created', 1);
    expect(created?.data).toMatchObject({ account_id: actor.accountId });
  });

  test('an account whose events the bus refuses keeps no other waiting', async () => {
    const { keys } = identity.adapters;
    const refused = await leaveKeys(MANY);
    const [firstId = ''] = refused;
    refusedAccounts = new Set([(await keys.find(firstId))?.accountId ?? '']);
    const others = await leaveKeys(1);
    await identity.clock.advance(5_000);
    await expect(publish()).rejects.toBeInstanceOf(EventKeysRefused);
    const [created] = await identity.eventsOf('key.created', 1);
    expect(created?.data).toMatchObject({ key_id: others[0] });
    expect(await keys.listPending({ after: undefined, limit: 2 * MANY })).toHaveLength(MANY);
    refusedAccounts = new Set();
    await identity.clock.advance(5_000);
    await publish();
    expect(await identity.eventsOf('key.created', MANY + 1)).toHaveLength(MANY + 1);
  });
});
