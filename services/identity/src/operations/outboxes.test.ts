import { AppError, createId } from '@tollgate/core';
import { NO_KEY } from '@tollgate/mongo';
import { waitFor } from '@tollgate/testkit';
import { changeAccount } from '../domain/account';
import { createKey, recordExpiryNotice } from '../domain/api-key';
import { defaultKeySettings } from '../domain/key-settings';
import { notifyExpiringKeys } from '../jobs/expiry-notices';
import { type IdentityFixture, startIdentityFixture } from '../testing/identity-fixture';

/** More than two pages of what a job reads at once. */
const MANY = 250;

let identity: IdentityFixture;
let busIsDown: boolean;
let publications: number;
/** A key whose events the bus refuses for a reason of their own. */
let refusedKeyId: string;

beforeEach(async () => {
  busIsDown = false;
  publications = 0;
  refusedKeyId = '';
  identity = await startIdentityFixture({}, (bus) => ({
    ...bus,
    async publish(batch, options) {
      publications += 1;
      if (busIsDown) throw new AppError('SERVICE_UNAVAILABLE');
      if (refusedKeyId !== '' && JSON.stringify(batch).includes(refusedKeyId)) {
        throw new Error('an event that no bus takes');
      }
      await bus.publish(batch, options);
    },
  }));
});

afterEach(() => identity.close());

const forever = new AbortController().signal;
const notifyGateways = () => identity.adapters.outbox.notifyPending(forever);
const publish = () => identity.adapters.outbox.publishPending(forever);

/** Leaves keys behind whose creation is not published, as a crash does. */
async function leaveKeys(count: number, expiresAt?: number): Promise<readonly string[]> {
  const { adapters, clock } = identity;
  const ids = Array.from({ length: count }, () => createId('apiKey'));
  const settings = { ...defaultKeySettings(), name: 'left behind', expiresAt };
  const accountId = createId('account');
  for (const id of ids) {
    const source = { id: createId('event'), atMs: clock.now(), actor: undefined };
    await adapters.keys.insert(createKey({ id, accountId, settings, preview: 'tg_' }, source));
  }
  return ids;
}

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
  const { outbox } = identity.adapters;
  const { actor } = await identity.makeUser();
  const settings = { name: 'revoked' };
  const { key } = await identity.operations.createApiKey({ actor, settings, idempotency: NO_KEY });
  await outbox.idle();
  await whileDeaf(() => identity.operations.deleteApiKey({ actor, keyId: key.id }));
  await outbox.idle();
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
  await identity.adapters.outbox.idle();
  const account = await accounts.find(actor.accountId);
  if (account === undefined) throw new Error('a person has an account');
  const source = { id: createId('event'), atMs: identity.clock.now(), actor: undefined };
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
    const source = { id: createId('event'), atMs: identity.clock.now(), actor: undefined };
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
    const source = { id: createId('event'), atMs: identity.clock.now(), actor: undefined };
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
    const { outbox, keys } = identity.adapters;
    const { actor } = await identity.makeUser();
    for (const name of ['first', 'second', 'third']) {
      const settings = { name };
      await identity.operations.createApiKey({ actor, settings, idempotency: NO_KEY });
    }
    await outbox.idle();
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
});

describe('notices of expiry', () => {
  const inDays = (days: number) => identity.clock.now() + days * 24 * 3_600_000;
  const notify = () => notifyExpiringKeys(identity.adapters, forever);

  /** Ids of keys in the order in which their notices are recorded; may refuse one of them. */
  function watchUpdates(refusedId?: string): readonly string[] {
    const { keys } = identity.adapters;
    const { update } = keys;
    const updated: string[] = [];
    Object.assign(keys, {
      async update(next: Parameters<typeof update>[0]) {
        if (next.id === refusedId) throw new AppError('DATABASE_ERROR', { retryable: false });
        updated.push(next.id);
        return update(next);
      },
    });
    return updated;
  }

  test('all owners are notified in one round, the soonest expiry first', async () => {
    const [late] = await leaveKeys(1, inDays(6));
    const same = await leaveKeys(MANY, inDays(5));
    const [soon] = await leaveKeys(1, inDays(3));
    const updated = watchUpdates();
    expect(await notify()).toBe(MANY + 2);
    expect([updated[0], updated.at(-1)]).toEqual([soon, late]);
    expect(new Set(updated)).toEqual(new Set([soon, ...same, late]));
    expect(await notify()).toBe(0);
  });

  test('a key whose notice cannot be recorded keeps no other owner waiting', async () => {
    const [refused, ...others] = await leaveKeys(3, inDays(3));
    const updated = watchUpdates(refused);
    expect(await notify()).toBe(2);
    expect([...updated].sort()).toEqual([...others].sort());
  });
});
