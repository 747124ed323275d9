import { createSecretKey, randomBytes } from 'node:crypto';
import { createSealer } from '@tollgate/core';
import { createEgressClient } from '@tollgate/egress';
import type { EventBus } from '@tollgate/events';
import type { CleanupStack, ServiceHost } from '@tollgate/lifecycle';
import { createIdempotencyStore, createRevisionLog, type MongoStore } from '@tollgate/mongo';
import type { IdentityConfig } from './config';
import { createKeyDigester } from './domain/key-digest';
import type { OAuthProvider } from './domain/ports';
import { createEventPublisher } from './events/identity-event-publisher';
import { createFactRelay } from './operations/announce-facts';
import { createEgressFetch } from './providers/egress-fetch';
import { createGithubProvider } from './providers/github-provider';
import { parseOAuthSettings } from './providers/oauth-settings';
import { createOidcProvider } from './providers/oidc-provider';
import { createPasswordHasher } from './providers/password-hasher';
import { createTokenKeyring } from './providers/token-keyring';
import { createAccountStore } from './storage/account-store';
import { answerCodec } from './storage/answer-codec';
import { createApiKeyStore } from './storage/api-key-store';
import { createAuditStore } from './storage/audit-store';
import { COLLECTIONS } from './storage/collections';
import { createFirstStartStore } from './storage/first-start-store';
import { createLoginAttemptStore } from './storage/login-attempt-store';
import { createOAuthStore } from './storage/oauth-store';
import { createPrincipalLog } from './storage/principal-log';
import { createQuotaStore } from './storage/quota-store';
import { createRefreshTokenStore, createSessionStore } from './storage/session-store';
import { createSigningKeyStore } from './storage/signing-key-store';
import { createUserStore } from './storage/user-store';

/** What the adapters are made of. */
export interface AdapterParts {
  readonly config: IdentityConfig;
  readonly host: ServiceHost;
  readonly store: MongoStore;
  readonly bus: EventBus;
  readonly cleanup: CleanupStack;
}

/** Cost of one password hash, as recommended for argon2id with one lane. */
const HASH_COST = { memoryKib: 19_456, passes: 2 } as const;
const OAUTH_RESPONSE_BYTES_MAX = 256 * 1024;

/** Every implementation of a port, ready before anything is opened. */
export function createAdapters({ config, host, store, bus, cleanup }: AdapterParts) {
  const { clock, logger } = host;
  const revisions = createRevisionLog({ store, name: 'principals', clock, logger });
  cleanup.defer('revision log', () => revisions.stop());
  const sealer = createSealer(config.sealingKeys, 'token signing keys');
  const stores = {
    accounts: createAccountStore(store),
    users: createUserStore(store),
    keys: createApiKeyStore(store),
    quotas: createQuotaStore(store),
    audit: createAuditStore(store),
    sessions: createSessionStore(store),
    refreshTokens: createRefreshTokenStore(store),
    attempts: createLoginAttemptStore(store),
    idempotency: createIdempotencyStore(store, {
      collection: COLLECTIONS.idempotency,
      answers: answerCodec,
    }),
    oauth: createOAuthStore(store),
    signingKeys: createSigningKeyStore(store),
    firstStarts: createFirstStartStore(store),
  };
  const principals = createPrincipalLog(revisions);
  const events = createEventPublisher(bus);
  const relay = createFactRelay({ clock, logger, ...stores, principals, events });
  cleanup.defer('announcements', () => relay.stop());
  return {
    ...stores,
    clock,
    logger,
    random: randomBytes,
    digester: createKeyDigester(config.keyPeppers.map(({ secret }) => createSecretKey(secret))),
    hasher: createPasswordHasher({
      ...HASH_COST,
      concurrency: config.passwordHashConcurrency,
      queuedMax: config.passwordHashQueueMax,
    }),
    keyring: createTokenKeyring({ clock, sealer }),
    providers: createProviders(config, host, cleanup),
    registrationOpen: config.registration === 'open',
    keysPerAccountMax: config.keysPerAccountMax,
    usersPerAccountMax: config.usersPerAccountMax,
    revisions,
    principals,
    relay,
  };
}

function createProviders(
  config: IdentityConfig,
  host: ServiceHost,
  cleanup: CleanupStack,
): readonly OAuthProvider[] {
  if (config.oauthProviders === undefined) return [];
  const { clock, logger } = host;
  const egress = createEgressClient({ allowedPrivateHosts: config.egressAllowedHosts, logger });
  cleanup.defer('egress', () => egress.close());
  const fetch = createEgressFetch(egress, {
    timeoutMs: config.oauthTimeoutMs,
    responseBytesMax: OAUTH_RESPONSE_BYTES_MAX,
  });
  return parseOAuthSettings(config.oauthProviders).map((settings) =>
    settings.kind === 'oidc'
      ? createOidcProvider(settings, fetch, clock)
      : createGithubProvider(settings, fetch),
  );
}
