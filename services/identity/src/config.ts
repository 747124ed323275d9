import {
  amount,
  type ConfigOf,
  choice,
  defineConfig,
  integer,
  namedSecrets,
  secret,
  shared,
  text,
} from '@tollgate/config';
import { PLAN_ID } from '@tollgate/core';
import { LEADER_TTL_MS_MAX } from '@tollgate/jobs';
import { parseOAuthSettings } from './oauth/oauth-settings';

const AUDIT_RETENTION_DAYS = integer('TOLLGATE_IDENTITY_AUDIT_RETENTION_DAYS', {
  default: 730,
  min: 1,
  max: 36_500,
  description: 'How long an entry of the audit log is kept; counts for entries from then on.',
});

const KEY_PEPPERS = namedSecrets(
  'TOLLGATE_KEY_PEPPERS',
  'Peppers of the digests that API keys are stored as.',
);

/** Everything that identity reads from its environment. */
export const identityConfigSchema = defineConfig(
  {
    listen: shared.listen('identity'),
    billingAddress: shared.address('billing'),
    mongodbUri: shared.mongodbUri,
    ...shared.kafka,
    ...shared.rpcSecurity,
    sealingKeys: shared.sealingKeys,
    keyPeppers: KEY_PEPPERS,
    registration: choice('TOLLGATE_REGISTRATION', {
      choices: ['closed', 'open'],
      default: 'closed',
      description: 'Whether anyone may create a user.',
    }),
    egressAllowedHosts: shared.egressAllowedHosts,
    initOperatorEmail: shared.initOperatorEmail,
    initOperatorPassword: shared.initOperatorPassword,
    initCredit: amount('TOLLGATE_INIT_CREDIT', {
      default: '10.00',
      description: 'Credit that the first start grants to the operator account.',
    }),
    initPlan: text('TOLLGATE_INIT_PLAN', {
      default: 'professional',
      pattern: PLAN_ID,
      patternMeaning: 'a plan id in lower case',
      description: 'Plan of the operator account that the first start creates.',
    }),
    oauthProviders: secret('TOLLGATE_OAUTH_PROVIDERS', {
      optional: true,
      description:
        'Outside logins, a JSON array of objects with id, name, client_id, client_secret and either issuer (OpenID Connect) or preset "github".',
    }),
    oauthTimeoutMs: integer('TOLLGATE_IDENTITY_OAUTH_TIMEOUT_MS', {
      default: 10_000,
      min: 100,
      max: 60_000,
      description: 'How long one request to an outside login provider may take.',
    }),
    keysPerAccountMax: integer('TOLLGATE_IDENTITY_KEYS_PER_ACCOUNT_MAX', {
      default: 1_000,
      min: 1,
      max: 100_000,
      description: 'How many API keys an account may have at once.',
    }),
    usersPerAccountMax: integer('TOLLGATE_IDENTITY_USERS_PER_ACCOUNT_MAX', {
      default: 1_000,
      min: 1,
      max: 100_000,
      description: 'How many people an account may have at once.',
    }),
    passwordHashConcurrency: integer('TOLLGATE_IDENTITY_PASSWORD_HASH_CONCURRENCY', {
      default: 2,
      min: 1,
      max: 64,
      description: 'How many passwords are hashed at once; each takes 19 MiB and a thread.',
    }),
    passwordHashQueueMax: integer('TOLLGATE_IDENTITY_PASSWORD_HASH_QUEUE_MAX', {
      default: 100,
      min: 0,
      max: 10_000,
      description: 'How many logins may wait for a password hash before more are refused.',
    }),
    signingKeyRotateDays: integer('TOLLGATE_IDENTITY_SIGNING_KEY_ROTATE_DAYS', {
      default: 90,
      min: 1,
      max: 3_650,
      description: 'Age at which the key that signs access tokens gets a successor.',
    }),
    auditRetentionDays: AUDIT_RETENTION_DAYS,
    lastUseFlushMs: integer('TOLLGATE_IDENTITY_LAST_USE_FLUSH_MS', {
      default: 10_000,
      min: 100,
      max: 600_000,
      description: 'How often the times of last use of API keys are written.',
    }),
    relayIntervalMs: integer('TOLLGATE_IDENTITY_RELAY_INTERVAL_MS', {
      default: 1_000,
      min: 50,
      max: 60_000,
      description: 'How often events that could not be published are tried again.',
    }),
    expiryCheckIntervalMs: integer('TOLLGATE_IDENTITY_EXPIRY_CHECK_INTERVAL_MS', {
      default: 600_000,
      min: 1_000,
      max: 86_400_000,
      description: 'How often keys that are about to expire are looked for.',
    }),
    leaderTtlMs: integer('TOLLGATE_IDENTITY_LEADER_TTL_MS', {
      default: 15_000,
      min: 1_000,
      max: LEADER_TTL_MS_MAX,
      description: 'How long a silent leader of the background jobs keeps its lease.',
    }),
  },
  ({ oauthProviders }) => {
    if (oauthProviders === undefined) return [];
    try {
      parseOAuthSettings(oauthProviders);
      return [];
    } catch (error) {
      return [`TOLLGATE_OAUTH_PROVIDERS ${error instanceof Error ? error.message : 'is wrong'}`];
    }
  },
);

export type IdentityConfig = ConfigOf<typeof identityConfigSchema>;

/** The configuration of an import of keys: it needs nothing but the store and the peppers. */
export const importKeysConfigSchema = defineConfig({
  mongodbUri: shared.mongodbUri,
  keyPeppers: KEY_PEPPERS,
});

export type ImportKeysConfig = ConfigOf<typeof importKeysConfigSchema>;

/** The configuration of a code for a new password that is made beside the store. */
export const resetCodeConfigSchema = defineConfig({
  mongodbUri: shared.mongodbUri,
  auditRetentionDays: AUDIT_RETENTION_DAYS,
});

export type ResetCodeConfig = ConfigOf<typeof resetCodeConfigSchema>;
