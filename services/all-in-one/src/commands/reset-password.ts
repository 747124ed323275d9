import { type Environment, parseConfig } from '@tollgate/config';
import { toIsoTime } from '@tollgate/core';
import type { AskOptions } from './ask-product';
import { printAnswer, printFailure } from './ask-product';
import { createCommandHost, withStore } from './command-host';
import type { CommandOutcome } from './outcome';

const USE_OF_CODE =
  'type the code in the console under “Forgotten your password?”, or send it and new_password to ' +
  'POST /v1/users/reset-password';

/** Where a code is typed, and what has to be done before it is taken. */
export function describeUseOfCode(userId: string, status: string | undefined): string {
  return status === 'disabled'
    ? `this user is disabled, and the code is refused until \`tollgate user enable ${userId}\`; then ${USE_OF_CODE}`
    : USE_OF_CODE;
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
    const { userId: user_id, accountId: account_id, status: user_status, code, expiresAtMs } = made;
    const expires_at = toIsoTime(expiresAtMs);
    const use = describeUseOfCode(user_id, user_status);
    return printAnswer({ user_id, account_id, user_status, code, expires_at, use }, json);
  } catch (error) {
    return printFailure(error, json);
  }
}
