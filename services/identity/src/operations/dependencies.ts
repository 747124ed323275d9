import type { Clock, Logger } from '@tollgate/core';
import type { IdempotentResult, IdempotentWork } from '@tollgate/mongo';
import type { KeyDigester } from '../domain/key-digest';
import type {
  AccessTokenIssuer,
  AccountStore,
  ApiKeyStore,
  AuditLogStore,
  LoginAttemptStore,
  OAuthProvider,
  OAuthStore,
  PasswordHasher,
  PrincipalLog,
  QuotaStore,
  RefreshTokenStore,
  RemnantStore,
  ResetCodeStore,
  SessionStore,
  UserStore,
} from '../domain/ports';
import type { RandomSource } from '../domain/secret-text';
import type { LastUseTracker } from './last-use';
import type { Relay } from './relay-outbox';

/** Everything that operations use, by name. */
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
  readonly auditLog: AuditLogStore;
  readonly refreshTokens: RefreshTokenStore;
  readonly loginAttempts: LoginAttemptStore;
  readonly oauth: OAuthStore;
  readonly resetCodes: ResetCodeStore;
  readonly remnants: RemnantStore;
  readonly principalLog: PrincipalLog;
  readonly hasher: PasswordHasher;
  readonly tokens: AccessTokenIssuer;
  readonly relay: Relay;
  readonly lastUse: LastUseTracker;
  readonly providers: readonly OAuthProvider[];
  /** Whether anyone may create a user. */
  readonly registrationOpen: boolean;
  /** Keys that an account may have at once. */
  readonly keysPerAccountMax: number;
  /** Users that an account may have at once. */
  readonly usersPerAccountMax: number;
  /** Runs the work once for its Idempotency-Key. */
  runIdempotently<Answer extends object>(
    work: IdempotentWork<Answer>,
  ): Promise<IdempotentResult<Answer>>;
}
