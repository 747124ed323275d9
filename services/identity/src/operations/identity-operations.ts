import { createAddMember } from './add-member';
import { createChangePassword } from './change-password';
import { createCompleteOAuth } from './complete-oauth';
import { createCreateAccount } from './create-account';
import { createCreateApiKey } from './create-api-key';
import { createCreateUser } from './create-user';
import { createDeleteApiKey } from './delete-api-key';
import type { Dependencies } from './dependencies';
import { createExchangeOAuthCode } from './exchange-oauth-code';
import { createGetAccount } from './get-account';
import { createGetApiKey } from './get-api-key';
import { createGetSigningKeys } from './get-signing-keys';
import { createGetUser } from './get-user';
import { createListAccounts } from './list-accounts';
import { createListApiKeys } from './list-api-keys';
import { createListMembers } from './list-members';
import { createListOAuthProviders } from './list-oauth-providers';
import { createListUsers } from './list-users';
import { createLogin } from './login';
import { createLogout } from './logout';
import { createRefreshSession } from './refresh-session';
import { createRemoveMember } from './remove-member';
import { createReportKeyUses } from './report-key-uses';
import { createRotateApiKey } from './rotate-api-key';
import { createStartOAuth } from './start-oauth';
import type { LastUseTracker } from './track-last-use';
import { createUpdateAccount } from './update-account';
import { createUpdateApiKey } from './update-api-key';
import { createVerifyApiKey } from './verify-api-key';
import { createWatchRevocations } from './watch-revocations';

/** Every operation of the service, one for each RPC. */
export type IdentityOperations = ReturnType<typeof createIdentityOperations>;

export function createIdentityOperations(
  deps: Dependencies & { readonly lastUse: LastUseTracker },
) {
  return {
    verifyApiKey: createVerifyApiKey(deps),
    watchRevocations: createWatchRevocations(deps),
    createApiKey: createCreateApiKey(deps),
    listApiKeys: createListApiKeys(deps),
    getApiKey: createGetApiKey(deps),
    updateApiKey: createUpdateApiKey(deps),
    deleteApiKey: createDeleteApiKey(deps),
    rotateApiKey: createRotateApiKey(deps),
    reportKeyUses: createReportKeyUses(deps),
    login: createLogin(deps),
    refreshSession: createRefreshSession(deps),
    logout: createLogout(deps),
    changePassword: createChangePassword(deps),
    getSigningKeys: createGetSigningKeys(deps),
    listOAuthProviders: createListOAuthProviders(deps),
    startOAuth: createStartOAuth(deps),
    completeOAuth: createCompleteOAuth(deps),
    exchangeOAuthCode: createExchangeOAuthCode(deps),
    getUser: createGetUser(deps),
    createUser: createCreateUser(deps),
    listUsers: createListUsers(deps),
    createAccount: createCreateAccount(deps),
    getAccount: createGetAccount(deps),
    listAccounts: createListAccounts(deps),
    updateAccount: createUpdateAccount(deps),
    addMember: createAddMember(deps),
    listMembers: createListMembers(deps),
    removeMember: createRemoveMember(deps),
  };
}
