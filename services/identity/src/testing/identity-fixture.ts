import { join } from 'node:path';
import { parseConfig } from '@tollgate/config';
import { type Clock, createId, createSystemClock, DAY_MS, SCOPES } from '@tollgate/core';
import { createInProcessBus, type EventBus, type TollgateEvent } from '@tollgate/events';
import { createCleanupStack } from '@tollgate/lifecycle';
import { openMongo, runMigrations } from '@tollgate/mongo';
import { createMetrics } from '@tollgate/observability';
import {
  createFakeClock,
  createRecordingLogger,
  createTestMongo,
  makeTemporaryDirectory,
  waitFor,
} from '@tollgate/testkit';
import { openAdapters, startPrincipalLog } from '../adapters';
import { identityConfigSchema } from '../config';
import { newAccount } from '../domain/account';
import type { Actor } from '../domain/actor';
import { createKey } from '../domain/api-key';
import { changeBy } from '../domain/events';
import { defaultKeySettings } from '../domain/key-settings';
import type { User } from '../domain/user';
import { createIdentityMetrics } from '../metrics';
import { createIdentityOperations } from '../operations/operations';
import { maintainSigningKeys } from '../operations/signing-keys';
import { identityMigrations } from '../storage/migrations';

const secret = (letter: string) => Buffer.alloc(32, letter).toString('base64');
const PEPPER = `p1:${secret('p')}`;
/** With a new one before that of the other tests. */
export const ROTATED_PEPPERS = `p2:${secret('q')},${PEPPER}`;

/** Environment that every test starts from; none of its secrets protects anything. */
export function testEnvironment(directory: string, mongodbUri: string): Record<string, string> {
  return {
    IDENTITY_LISTEN: `unix:${join(directory, 'i.sock')}`,
    BILLING_ADDRESS: `unix:${join(directory, 'b.sock')}`,
    MONGODB_URI: mongodbUri,
    TOLLGATE_SERVICE_SECRET: 'a-service-secret-that-exists-only-in-this-test',
    TOLLGATE_SEALING_KEYS: `s1:${secret('s')}`,
    TOLLGATE_KEY_PEPPERS: PEPPER,
  };
}

/** 2099-01-01T00:00:00Z. */
const START_MS = 4_070_908_800_000;

export const PASSWORD = 'a password for tests';

/** The operations over real adapters and the embedded store; only time is not real. */
export type IdentityFixture = Awaited<ReturnType<typeof startIdentityFixture>>;

export async function startIdentityFixture(
  overrides: Record<string, string> = {},
  /** Puts something between identity and the event bus. */
  decorateBus: (bus: EventBus) => EventBus = (bus) => bus,
) {
  const directory = await makeTemporaryDirectory('i');
  const server = await createTestMongo();
  // Later than the store's own clock, so that nothing expires there before the test says so.
  const clock = createFakeClock(START_MS);
  const logger = createRecordingLogger();
  const cleanup = createCleanupStack();
  cleanup.defer('directory', () => directory.remove());
  cleanup.defer('embedded store', () => server.close());
  const environment = testEnvironment(directory.path, server.uriFor('identity'));
  const config = parseConfig(identityConfigSchema, { ...environment, ...overrides });
  const mongo = openMongo({ uri: config.mongodbUri, appName: 'test', logger });
  await mongo.connect();
  cleanup.defer('document store', () => mongo.close());
  await runMigrations(mongo, 'identity', identityMigrations, logger);

  const bus = createInProcessBus({ clock: createSystemClock(), logger });
  cleanup.defer('bus', () => bus.close());
  const events: TollgateEvent[] = [];
  await bus.subscribe({
    group: 'test',
    topics: ['tollgate.identity.v1'],
    handle: async (batch) => void events.push(...batch.map(({ event }) => event)),
  });

  const host = { clock, logger, metrics: createMetrics() };
  const metrics = createIdentityMetrics(host.metrics);
  const adapters = openAdapters({
    config,
    host,
    metrics,
    mongo,
    bus: decorateBus(bus),
    cleanup,
  });
  await startPrincipalLog(adapters.principalLog);
  await maintainSigningKeys({ ...adapters, rotateAfterMs: 90 * DAY_MS });
  const operations = metrics.countOutcomes(createIdentityOperations(adapters));

  const makeUser = createUserFactory(adapters, clock);

  return {
    config,
    adapters,
    operations,
    events,
    mongo,
    makeUser,
    ...host,
    /** The events of the type, once there are as many. */
    eventsOf: (type: TollgateEvent['type'], count: number) =>
      waitFor(async () => {
        await adapters.relay.idle();
        const found = events.filter((event) => event.type === type);
        return found.length >= count ? found : undefined;
      }),
    close: () => cleanup.run(),
  };
}

/** Makes a user in a new account, or in the given one, and the actor that user is with a token. */
function createUserFactory(
  adapters: Pick<ReturnType<typeof openAdapters>, 'accounts' | 'users'>,
  clock: Clock,
) {
  return async (fields: Partial<User> = {}) => {
    const now = clock.now();
    const id = createId('user');
    const accountId = fields.accountId ?? createId('account');
    if (fields.accountId === undefined) {
      await adapters.accounts.insert(
        newAccount({ id: accountId, name: `Account of ${id}`, plan: 'free' }, now),
      );
    }
    const user: User = {
      id,
      email: `${id.toLowerCase()}@example.com`,
      emailProven: true,
      displayName: 'Test Person',
      role: 'owner',
      status: 'active',
      passwordHash: undefined,
      identities: [],
      createdAt: now,
      rev: 1,
      ...fields,
      accountId,
    };
    await adapters.users.insert(user);
    return { user, actor: actorOf(user) };
  };
}

/** The user acting with an access token. */
export function actorOf(user: User): Actor {
  return {
    accountId: user.accountId,
    userId: user.id,
    keyId: undefined,
    operator: user.role === 'operator',
    role: user.role,
    scopes: [...SCOPES],
  };
}

/** The code of the refusal, so that a table can name it. */
export async function codeOf(attempt: Promise<unknown>): Promise<string> {
  return attempt.then(
    () => 'accepted',
    (error: unknown) => String(error instanceof Error && 'code' in error ? error.code : error),
  );
}

/** Makes keys whose creation is not published, as a crash leaves them. */
export async function leaveUnpublishedKeys(
  { adapters, clock }: IdentityFixture,
  count: number,
  expiresAt?: number,
): Promise<readonly string[]> {
  const ids = Array.from({ length: count }, () => createId('apiKey'));
  const settings = { ...defaultKeySettings(), name: 'left behind', expiresAt };
  const accountId = createId('account');
  for (const id of ids) {
    const source = changeBy(undefined, clock.now());
    await adapters.keys.insert(createKey({ id, accountId, settings, preview: 'tg_' }, source));
  }
  return ids;
}
