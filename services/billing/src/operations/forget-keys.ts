import type { AccountRules } from '../domain/account-rules';
import type { AccountWriter } from './account-writer';

/** Forgets a key that was deleted; harmless when it is not known, or comes again. */
export type ForgetKeyOperation = (accountId: string, keyId: string) => Promise<void>;

export function createForgetKey(dependencies: {
  readonly accounts: AccountWriter;
  readonly rules: AccountRules;
}): ForgetKeyOperation {
  const { accounts, rules } = dependencies;
  return async (accountId, keyId) => {
    await accounts.run(accountId, { apply: (account) => rules.forgetKey(account, keyId) });
  };
}
