import type { CallerPolicy, controlPlane, Handlers } from '@tollgate/rpc';

export type IdentityShape = ReturnType<typeof controlPlane<'identity'>>;
export type IdentityHandlers = Handlers<IdentityShape>;

/** Only the edge asks identity; everybody else gets what it needs with the request. */
const EDGE = ['gateway'] as const;

export const identityPolicy: CallerPolicy<IdentityShape> = {
  verifyApiKey: EDGE,
  watchRevocations: EDGE,
  createApiKey: EDGE,
  listApiKeys: EDGE,
  getApiKey: EDGE,
  updateApiKey: EDGE,
  deleteApiKey: EDGE,
  rotateApiKey: EDGE,
  reportKeyUses: EDGE,
  login: EDGE,
  refreshSession: EDGE,
  logout: EDGE,
  changePassword: EDGE,
  getSigningKeys: EDGE,
  listOAuthProviders: EDGE,
  startOAuth: EDGE,
  completeOAuth: EDGE,
  exchangeOAuthCode: EDGE,
  getUser: EDGE,
  createUser: EDGE,
  listUsers: EDGE,
  createAccount: EDGE,
  getAccount: EDGE,
  listAccounts: EDGE,
  updateAccount: EDGE,
  addMember: EDGE,
  listMembers: EDGE,
  removeMember: EDGE,
};
