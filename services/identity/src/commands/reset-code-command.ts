import { randomBytes } from 'node:crypto';
import { DAY_MS } from '@tollgate/core';
import { createCleanupStack, type ServiceHost } from '@tollgate/lifecycle';
import { openMongo, runMigrations } from '@tollgate/mongo';
import type { ResetCodeConfig } from '../config';
import type { AccountStatus } from '../domain/account';
import { type AuditLogEntry, systemEntry } from '../domain/audit-log';
import type { AuditLogStore, UserStore } from '../domain/ports';
import { createResetCode } from '../domain/reset-code';
import type { User, UserStatus } from '../domain/user';
import { requireNamedUser } from '../operations/lookups';
import { createAccountStore } from '../storage/account-store';
import { createAuditLogStore } from '../storage/audit-log-store';
import { identityMigrations } from '../storage/migrations';
import { createResetCodeStore } from '../storage/reset-code-store';
import { createUserStore } from '../storage/user-store';

/** A code that sets a new password once. */
export interface MadeResetCode {
  readonly userId: string;
  readonly accountId: string;
  readonly email: string;
  /** The code of somebody who is disabled is refused until they are enabled. */
  readonly status: UserStatus;
  /** When and by whom a disabled person was disabled, as far as the audit log tells. */
  readonly disabled: { readonly atMs: number; readonly by: string | undefined } | undefined;
  /** Whether the requests of the account are answered; undefined of one that is gone. */
  readonly accountStatus: AccountStatus | undefined;
  readonly code: string;
  /** Milliseconds since the epoch. */
  readonly expiresAtMs: number;
}

/**
 * Makes a one-time code for a new password with nothing but the store: for an operator who has lost
 * the password and every operator key. Whoever can read the store's settings owns the product
 * anyway; the audit log says that it was done. `named` is an id or an email. Rejects with
 * NOT_FOUND for somebody who is not there.
 */
export async function makeResetCode(
  config: ResetCodeConfig,
  { clock, logger }: Pick<ServiceHost, 'clock' | 'logger'>,
  named: string,
): Promise<MadeResetCode> {
  const cleanup = createCleanupStack();
  const mongo = openMongo({ uri: config.mongodbUri, appName: 'tollgate-reset-password', logger });
  cleanup.defer('document store', () => mongo.close());
  try {
    await mongo.connect();
    await runMigrations(mongo, 'identity', identityMigrations, logger);
    const users = createUserStore(mongo);
    const user = await requireNamedUser(users, named);
    const { text, code } = createResetCode(user.id, clock.now(), randomBytes);
    const auditLog = createAuditLogStore(mongo, config.auditRetentionDays * DAY_MS);
    await auditLog.insert(toEntry(user, clock.now()));
    await createResetCodeStore(mongo).write(code);
    const { id: userId, accountId, email, status } = user;
    const account = await createAccountStore(mongo).find(accountId);
    const disabled =
      status === 'disabled' ? await findDisabled(auditLog, users, userId) : undefined;
    return {
      userId,
      accountId,
      email,
      status,
      disabled,
      accountStatus: account?.status,
      code: text,
      expiresAtMs: code.expiresAtMs,
    };
  } finally {
    await cleanup.run();
  }
}

/** The last time that somebody was disabled. */
async function findDisabled(
  auditLog: Pick<AuditLogStore, 'list'>,
  users: Pick<UserStore, 'find'>,
  userId: string,
): Promise<MadeResetCode['disabled']> {
  const filter = {
    byActor: undefined,
    accountId: undefined,
    operation: 'POST /v1/admin/users/{id}/disable',
    resourceId: userId,
    startAtMs: undefined,
    endAtMs: undefined,
  };
  const [entry] = await auditLog.list(filter, { limit: 1, beforeId: undefined });
  if (entry === undefined) return undefined;
  const actor = await users.find(entry.actorUserId);
  return { atMs: entry.atMs, by: actor?.email ?? (entry.actorUserId || entry.actorKeyId) };
}

function toEntry({ id: resourceId, accountId }: User, atMs: number): AuditLogEntry {
  return systemEntry({
    atMs,
    operation: 'tollgate user reset-password',
    operator: true,
    accountId,
    resourceType: 'users',
    resourceId,
  });
}
