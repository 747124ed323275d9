import { type Environment, parseConfig } from '@tollgate/config';
import { toIsoTime } from '@tollgate/core';
import type { AskOptions } from '../command';
import { answerOutcome, type CommandOutcome, failureOutcome } from '../outcome';
import { createCommandHost, withStore } from './command-host';

const USE_OF_CODE =
  'type the code in the console under “Forgotten your password?”, or send it and new_password to ' +
  'POST /v1/users/reset-password; who was locked out by too many wrong passwords is let in ' +
  'with the new one at once, where the code was used';

/** For whom a code was made; services of an older version tell less. */
export interface ResetPerson {
  readonly user_id: string;
  readonly account_id?: string;
  readonly account_status?: string | null | undefined;
  readonly user_status?: string;
  /** Of a disabled user: when, and by whom where that is known. */
  readonly switched_off?: { readonly at: string; readonly by: string | null } | null;
}

/** Where a code is typed, and what has to be done before it is taken, or helps. */
export function describeUseOfCode(person: ResetPerson): string {
  const { account_id, account_status, switched_off, user_id, user_status } = person;
  const by = switched_off?.by ? ` by ${switched_off.by}` : '';
  const since = switched_off ? ` since ${switched_off.at}${by}` : '';
  const use =
    user_status === 'disabled'
      ? `this user is disabled${since}, and the code is refused until \`tollgate user enable ${user_id}\`; then ${USE_OF_CODE}`
      : USE_OF_CODE;
  return account_status === 'suspended'
    ? `${use}. Their account is suspended: the password is taken, and every page and request is refused until \`tollgate account resume ${account_id}\``
    : use;
}

/** Makes a one-time code in the store itself; what it prints is what the API answers. */
export async function resetPasswordInStore(
  named: string,
  { json }: AskOptions,
  environment: Environment,
): Promise<CommandOutcome> {
  const { makeResetCode, resetCodeConfigSchema } =
    require('@tollgate/identity') as typeof import('@tollgate/identity');
  const host = createCommandHost('reset-password', environment);
  try {
    const made = await withStore(environment, host, (complete) =>
      makeResetCode(parseConfig(resetCodeConfigSchema, complete), host, named),
    );
    const { userId: user_id, accountId: account_id, status: user_status, code, disabled } = made;
    const { accountStatus: account_status, email } = made;
    const switched_off = disabled && { at: toIsoTime(disabled.atMs), by: disabled.by ?? null };
    const expires_at = toIsoTime(made.expiresAtMs);
    const person = { user_id, email, account_id, account_status, user_status, switched_off };
    const use = describeUseOfCode({ ...person, switched_off: switched_off ?? null });
    return answerOutcome({ ...person, code, expires_at, use }, json);
  } catch (error) {
    return failureOutcome(error, json);
  }
}
