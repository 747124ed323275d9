import type { Clock, Logger } from '@tollgate/core';
import type { IdempotencyStore } from '@tollgate/idempotency';
import type { RandomSource } from '../domain/key-codec';
import type { KeyDigester } from '../domain/key-digest';
import type {
  AccessTokenIssuer,
  AccountStore,
  ApiKeyStore,
  LoginAttemptStore,
  OAuthProvider,
  OAuthStore,
  PasswordHasher,
  PrincipalLog,
  QuotaStore,
  RefreshTokenStore,
  SessionStore,
  UserStore,
} from '../domain/ports';
import type { FactRelay } from './announce-facts';

/** Everything an operation may ask for; each one picks what it needs. */
export interface Dependencies {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly random: RandomSource;
  readonly digester: KeyDigester;
  readonly accounts: AccountStore;
  readonly users: UserStore;
  readonly keys: ApiKeyStore;
  readonly quotas: QuotaStore;
  readonly sessions: SessionStore;
  readonly refreshTokens: RefreshTokenStore;
  readonly attempts: LoginAttemptStore;
  readonly idempotency: IdempotencyStore;
  readonly oauth: OAuthStore;
  readonly principals: PrincipalLog;
  readonly hasher: PasswordHasher;
  readonly tokens: AccessTokenIssuer;
  readonly relay: FactRelay;
  readonly providers: readonly OAuthProvider[];
  /** Whether anyone may create a user. */
  readonly registrationOpen: boolean;
  /** Keys that an account may have at once. */
  readonly keysPerAccountMax: number;
  /** People that an account may have at once. */
  readonly usersPerAccountMax: number;
}
