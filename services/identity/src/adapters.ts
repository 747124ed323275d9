import { createSecretKey, randomBytes } from 'node:crypto';
import { createSealer, DAY_MS } from '@tollgate/core';
import { createEgressClient } from '@tollgate/egress';
import type { EventBus } from '@tollgate/events';
import type { CleanupStack, ServiceHost } from '@tollgate/lifecycle';
import {
  createReseal,
  createRevisionLog,
  type IdempotentWork,
  type MongoStore,
  type RevisionLog,
  runIdempotently,
} from '@tollgate/mongo';
import type { IdentityConfig } from './config';
import { createKeyDigester } from './domain/key-digest';
import type { OAuthProvider } from './domain/ports';
import { createEventPublisher } from './events/event-publisher';
import type { IdentityMetrics } from './metrics';
import { createEgressFetch } from './oauth/egress-fetch';
import { createGithubProvider } from './oauth/github-provider';
import { parseOAuthSettings } from './oauth/oauth-settings';
import { createLastUseTracker } from './operations/last-use';
import { createRelay } from './operations/relay-outbox';
import { createTokenKeyring } from './secrets/access-tokens';
import { createPasswordHasher } from './secrets/password-hasher';
import { createAccountStore } from './storage/account-store';
import { createApiKeyStore } from './storage/api-key-store';
import { createAuditLogStore } from './storage/audit-log-store';
import { createFirstStartStore } from './storage/first-start-store';
import { createIdentityIdempotencyStore } from './storage/idempotency-store';
import { createLoginAttemptStore } from './storage/login-attempt-store';
import { createOAuthStore } from './storage/oauth-store';
import { createQuotaStore } from './storage/quota-store';
import { createRemnantStore } from './storage/remnant-store';
import { createResetCodeStore } from './storage/reset-code-store';
import { createRefreshTokenStore, createSessionStore } from './storage/session-store';
import { createSigningKeyStore, SEALED_PRIVATE_KEYS } from './storage/signing-key-store';
import { createUserStore } from './storage/user-store';

export interface AdapterDependencies {
  readonly config: IdentityConfig;
  readonly host: ServiceHost;
  readonly metrics: IdentityMetrics;
  readonly mongo: MongoStore;
  readonly bus: EventBus;
  readonly cleanup: CleanupStack;
}

/** Cost of one password hash, as recommended for argon2id with one lane. */
const HASH_COST = { memoryKib: 19_456, passes: 2 } as const;
const OAUTH_RESPONSE_BYTES_MAX = 256 * 1024;

/** Every implementation of a port, ready before anything is opened. */
export function openAdapters(dependencies: AdapterDependencies) {
  const { config, host, metrics, mongo, bus, cleanup } = dependencies;
  const { clock, logger } = host;
  const principalLog = createRevisionLog({ store: mongo, name: 'principals', clock, logger });
  cleanup.defer('principal log', () => principalLog.stop());
  const sealer = createSealer(config.sealingKeys, 'token signing keys');
  const stores = {
    accounts: createAccountStore(mongo),
    users: createUserStore(mongo),
    keys: createApiKeyStore(mongo),
    quotas: createQuotaStore(mongo),
    auditLog: createAuditLogStore(mongo, config.auditRetentionDays * DAY_MS),
    sessions: createSessionStore(mongo),
    refreshTokens: createRefreshTokenStore(mongo),
    loginAttempts: createLoginAttemptStore(mongo),
    idempotencyClaims: createIdentityIdempotencyStore(mongo),
    oauth: createOAuthStore(mongo),
    resetCodes: createResetCodeStore(mongo),
    remnants: createRemnantStore(mongo),
    signingKeys: createSigningKeyStore(mongo),
    firstStarts: createFirstStartStore(mongo),
  };
  const digester = createKeyDigester(
    config.keyPeppers.map(({ secret }) => createSecretKey(secret)),
  );
  const keyring = createTokenKeyring({ clock, sealer });
  const events = createEventPublisher(bus);
  const onQuarantined = metrics.countQuarantined;
  const relay = createRelay({ clock, logger, ...stores, principalLog, events, onQuarantined });
  cleanup.defer('outbox relay', () => relay.stop());
  const lastUse = createLastUseTracker({ keys: stores.keys, logger });
  cleanup.defer('last uses', () => lastUse.flush());
  return {
    ...stores,
    clock,
    logger,
    random: randomBytes,
    digester,
    hasher: createPasswordHasher({
      ...HASH_COST,
      concurrency: config.passwordHashConcurrency,
      queuedMax: config.passwordHashQueueMax,
    }),
    keyring,
    reseal: createReseal({ store: mongo, sealer, member: SEALED_PRIVATE_KEYS, logger }),
    // Operations see of it only what issues tokens; the job loads keys into it by `keyring`.
    tokens: keyring,
    providers: createProviders(config, host, cleanup),
    registrationOpen: config.registration === 'open',
    keysPerAccountMax: config.keysPerAccountMax,
    usersPerAccountMax: config.usersPerAccountMax,
    principalLog,
    relay,
    lastUse,
    runIdempotently<Answer extends object>(work: IdempotentWork<Answer>) {
      const { idempotencyClaims } = stores;
      // Bodies hold passwords: a digest without the pepper could be tried against guesses.
      const digestsOf = (request: string) => digester.derive('idempotency', request);
      return runIdempotently({ clock, logger, idempotencyClaims, digestsOf }, work);
    },
  };
}

/**
 * Starts the log and makes sure that it has a revision. A stream that is asked for what came after
 * 0 begins at the present: a gateway that had really seen revision 0 would miss the first change.
 */
export async function startPrincipalLog(log: RevisionLog): Promise<void> {
  await log.start();
  if (log.revision() === 0n) await log.append([]);
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
  // Loaded where a provider is configured: the library behind it is one that most start without.
  const loadOidc = () => require('./oauth/oidc-provider') as typeof import('./oauth/oidc-provider');
  return parseOAuthSettings(config.oauthProviders).map((settings) =>
    settings.kind === 'oidc'
      ? loadOidc().createOidcProvider(settings, fetch, clock)
      : createGithubProvider(settings, fetch),
  );
}
