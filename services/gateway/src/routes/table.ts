import type { Scope } from '@tollgate/core';
import type { BearerKind } from '../auth/authenticate';
import type { AccountRole } from '../auth/principal';
import type { ChatFormat } from '../chat/format';
import { formats } from '../chat/formats/all';
import { exportAccount } from './accounts/account-export';
import * as accounts from './accounts/accounts';
import { listAlerts } from './alerts/alerts';
import { getAuditEntry, listAuditLog } from './audit-log/audit-log';
import { getAccountBalance } from './billing/account-balance';
import { getAudit } from './billing/audit';
import { getBalance } from './billing/balance';
import * as codes from './billing/codes';
import { addCredits, adjustBalance } from './billing/credits-and-adjustments';
import { listAccountLedger, listLedger } from './billing/ledger';
import * as plans from './billing/plans';
import { getReceipt } from './billing/receipts';
import { getStatement, listStatements } from './billing/statements';
import { getThresholds, resetThresholds, setThresholds } from './billing/thresholds';
import { topUp } from './billing/top-ups';
import * as channels from './channels/channels';
import { explainRoute } from './channels/explain-route';
import { discoverModels } from './channels/model-discovery';
import { disableKey, enableKey } from './keys/key-status';
import * as keys from './keys/keys';
import * as catalogue from './models/catalogue';
import { exportModels, importModels } from './models/catalogue-transfer';
import { countTokens } from './models/count-tokens';
import { getModel, listModels, listPlainModels } from './models/models';
import type { Operation, PublicOperation } from './operation';
import { getRefusal, listAllRefusals, listRefusals } from './requests/refused-request';
import * as requests from './requests/requests';
import { getStats } from './stats/stats';
import { completeOAuth, exchangeOAuthCode, listOAuthProviders, startOAuth } from './users/oauth';
import { changePassword, resetPassword, startPasswordReset } from './users/passwords';
import { logIn, logOut, refreshSession } from './users/sessions';
import * as users from './users/users';
import * as webhooks from './webhooks/webhooks';

export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** One row of the path table: who may ask, what that counts against, and what answers. */
export type Route = Access & {
  readonly method: HttpMethod;
  /** The path, with `{name}` for parameters. */
  readonly path: string;
  readonly target: Target;
  /** The path before v1 that leads to the same handler. */
  readonly legacy?: string;
};

type Target = Operation | ChatTarget;
type Access = BearerAccess | PublicAccess;

/** Who needs no bearer. */
interface PublicAccess {
  readonly auth: 'public';
  readonly countedBy: CountedBy;
}

/** Who may do it with which bearer. */
interface BearerAccess {
  /**
   * `optional_access_token` may come without one, or with one that is over: a refresh token in the
   * body or a cookie will do.
   */
  readonly auth: BearerKind | 'optional_access_token';
  /** Open to who must change a first password before anything else. */
  readonly firstPassword?: true;
  /** A header that may carry the key in place of Authorization, which comes first. */
  readonly keyHeader?: 'x-api-key';
  /** The scope that an API key must have; absent when no scope covers it. */
  readonly scope?: Scope;
  readonly role: AccountRole | 'operator';
  readonly countedBy: CountedBy;
}

/** The limits of the plan, or one of the throttles. */
export type CountedBy = 'metered' | 'management' | 'redeem' | 'login' | 'public';

/** A completion, whose requests and answers have the format. */
export interface ChatTarget {
  readonly kind: 'chat';
  readonly format: ChatFormat;
}

function completionIn(format: ChatFormat): ChatTarget {
  return { kind: 'chat', format };
}

const member = { auth: 'any', role: 'member', countedBy: 'management' } as const;
const chat = {
  auth: 'api_key',
  scope: 'completions',
  role: 'member',
  countedBy: 'metered',
} as const;
const ACCESS = {
  chat,
  messages: { ...chat, keyHeader: 'x-api-key' },
  explain: { ...member, scope: 'completions' },
  // It costs what reading a prompt costs, and nobody pays for it.
  count: { ...member, scope: 'completions', keyHeader: 'x-api-key', countedBy: 'metered' },
  answers: { ...member, auth: 'api_key', scope: 'completions' },
  models: { ...member, scope: 'models' },
  keys: { ...member, scope: 'keys' },
  billing: { ...member, scope: 'billing' },
  // The role `member` changes nothing of what the account spends.
  money: { ...member, scope: 'billing', role: 'admin' },
  stats: { ...member, scope: 'stats' },
  webhooks: { ...member, scope: 'webhooks', role: 'admin' },
  redeem: { ...member, scope: 'billing', role: 'admin', countedBy: 'redeem' },
  // A key must not be able to make people who may do more than it.
  members: { ...member, auth: 'access_token', role: 'admin' },
  operator: { ...member, scope: 'admin', role: 'operator' },
  user: { ...member, auth: 'access_token', firstPassword: true },
  session: { ...member, auth: 'optional_access_token', firstPassword: true },
  signed: { auth: 'public', countedBy: 'management' },
  login: { auth: 'public', countedBy: 'login' },
  anyone: { auth: 'public', countedBy: 'public' },
} as const satisfies Readonly<Record<string, Access>>;

/** Every path of the API: who may use it, what answers, and its path before v1. */
export const ROUTES: readonly Route[] = [
  row('POST', '/v1/llm/chat/completions', 'chat', completionIn(formats.envelope)),
  row('POST', '/v1/chat/completions', 'chat', completionIn(formats.openai)),
  row('POST', '/v1/messages', 'messages', completionIn(formats.anthropic)),
  row('POST', '/v1/messages/count_tokens', 'count', countTokens),
  row('POST', '/v1/responses', 'chat', completionIn(formats.responses)),
  row('POST', '/v1/embeddings', 'chat', completionIn(formats.embeddings)),
  row('POST', '/v1/llm/route/explain', 'explain', explainRoute),
  row('GET', '/v1/llm/models', 'models', listModels),
  row('GET', '/v1/models', 'models', listPlainModels),
  row('GET', '/v1/models/{id}', 'models', getModel),

  row('GET', '/v1/keys', 'keys', keys.listKeys, '/api/keys-v2'),
  row('POST', '/v1/keys', 'keys', keys.createKey, '/api/keys-v2'),
  row('GET', '/v1/keys/{id}', 'keys', keys.getKey),
  row('PATCH', '/v1/keys/{id}', 'keys', keys.updateKey),
  row('PUT', '/v1/keys/{id}', 'keys', keys.replaceKey),
  row('DELETE', '/v1/keys/{id}', 'keys', keys.deleteKey),
  row('POST', '/v1/keys/{id}/rotate', 'keys', keys.rotateKey),
  row('GET', '/v1/billing/balance', 'billing', getBalance, '/api/balance'),
  row('GET', '/v1/billing/plans', 'billing', plans.listPlans, '/api/plans'),
  row('GET', '/v1/billing/ledger', 'billing', listLedger),
  row('GET', '/v1/billing/thresholds', 'billing', getThresholds),
  row('PUT', '/v1/billing/thresholds', 'money', setThresholds),
  row('DELETE', '/v1/billing/thresholds', 'money', resetThresholds),
  row('GET', '/v1/billing/receipts/{request_id}', 'billing', getReceipt),
  row('GET', '/v1/billing/statements', 'billing', listStatements),
  row('GET', '/v1/billing/statements/{month}', 'billing', getStatement),
  row('GET', '/v1/requests', 'billing', requests.listRequests),
  row('GET', '/v1/requests/{request_id}', 'billing', requests.getRequest),
  row('GET', '/v1/requests/{request_id}/answer', 'answers', requests.getAnswer),
  row('GET', '/v1/refusals', 'billing', listRefusals),
  row('GET', '/v1/stats', 'stats', getStats, '/api/stats'),
  row('POST', '/v1/topups/{provider}', 'signed', topUp),
  row('POST', '/v1/account/redeem', 'redeem', codes.redeemCode),
  row('GET', '/v1/account/members', 'members', users.listMembers),
  row('POST', '/v1/account/members', 'members', users.addMember),
  row('GET', '/v1/account/members/{id}', 'members', users.getMember),
  row('PATCH', '/v1/account/members/{id}', 'members', users.updateMember),
  row('DELETE', '/v1/account/members/{id}', 'members', users.removeMember),

  row('POST', '/v1/users/login', 'login', logIn),
  row('POST', '/v1/users/refresh', 'anyone', refreshSession),
  row('POST', '/v1/users', 'login', users.registerUser),
  row('GET', '/v1/users/me', 'user', users.getCurrentUser, '/api/me'),
  row('POST', '/v1/users/logout', 'session', logOut),
  row('POST', '/v1/users/password', 'user', changePassword),
  row('POST', '/v1/users/reset-password', 'login', resetPassword),
  row('GET', '/v1/oauth/providers', 'anyone', listOAuthProviders),
  row('GET', '/v1/oauth/login', 'anyone', startOAuth, '/api/oauth/login'),
  row('GET', '/v1/oauth/callback', 'anyone', completeOAuth, '/api/oauth/callback'),
  row('POST', '/v1/oauth/token', 'login', exchangeOAuthCode),

  row('GET', '/v1/webhooks', 'webhooks', webhooks.listWebhooks, '/api/webhooks'),
  row('POST', '/v1/webhooks', 'webhooks', webhooks.createWebhook, '/api/webhooks'),
  row('GET', '/v1/webhooks/{id}', 'webhooks', webhooks.getWebhook),
  row('PATCH', '/v1/webhooks/{id}', 'webhooks', webhooks.updateWebhook),
  row('PUT', '/v1/webhooks/{id}', 'webhooks', webhooks.replaceWebhook),
  row('DELETE', '/v1/webhooks/{id}', 'webhooks', webhooks.deleteWebhook),
  row('POST', '/v1/webhooks/{id}/rotate-secret', 'webhooks', webhooks.rotateWebhookSecret),
  row('POST', '/v1/webhooks/{id}/test', 'webhooks', webhooks.testWebhook),
  row('GET', '/v1/webhooks/{id}/deliveries', 'webhooks', webhooks.listDeliveries),
  row('POST', '/v1/webhooks/deliveries/{id}/redeliver', 'webhooks', webhooks.redeliver),

  row('GET', '/v1/admin/channels', 'operator', channels.listChannels, '/api/channels'),
  row('POST', '/v1/admin/channels', 'operator', channels.createChannel, '/api/channels'),
  row('POST', '/v1/admin/channels/discover', 'operator', discoverModels),
  row('GET', '/v1/admin/channels/{id}', 'operator', channels.getChannel, '/api/channels/{id}'),
  row('PUT', '/v1/admin/channels/{id}', 'operator', channels.replaceChannel, '/api/channels/{id}'),
  row('PATCH', '/v1/admin/channels/{id}', 'operator', channels.updateChannel),
  row(
    'DELETE',
    '/v1/admin/channels/{id}',
    'operator',
    channels.deleteChannel,
    '/api/channels/{id}',
  ),
  row(
    'POST',
    '/v1/admin/channels/{id}/health',
    'operator',
    channels.checkChannelHealth,
    '/api/channels/{id}/health',
  ),
  row('GET', '/v1/admin/models', 'operator', catalogue.listCatalogue),
  row('POST', '/v1/admin/models', 'operator', catalogue.createCatalogueModel),
  row('GET', '/v1/admin/models/export', 'operator', exportModels),
  row('POST', '/v1/admin/models/import', 'operator', importModels),
  row('GET', '/v1/admin/models/{id}', 'operator', catalogue.getCatalogueModel),
  row('PATCH', '/v1/admin/models/{id}', 'operator', catalogue.updateCatalogueModel),
  row('PUT', '/v1/admin/models/{id}', 'operator', catalogue.replaceCatalogueModel),
  row('DELETE', '/v1/admin/models/{id}', 'operator', catalogue.deleteCatalogueModel),
  row('GET', '/v1/admin/accounts', 'operator', accounts.listAccounts),
  row('POST', '/v1/admin/accounts', 'operator', accounts.createAccount),
  row('GET', '/v1/admin/accounts/{id}', 'operator', accounts.getAccount),
  row('PATCH', '/v1/admin/accounts/{id}', 'operator', accounts.updateAccount),
  row('PUT', '/v1/admin/accounts/{id}', 'operator', accounts.replaceAccount),
  row('DELETE', '/v1/admin/accounts/{id}', 'operator', accounts.eraseAccount),
  row('GET', '/v1/admin/accounts/{id}/balance', 'operator', getAccountBalance),
  row('GET', '/v1/admin/accounts/{id}/ledger', 'operator', listAccountLedger),
  row('GET', '/v1/admin/accounts/{id}/keys', 'operator', keys.listAccountKeys),
  row('GET', '/v1/admin/accounts/{id}/members', 'operator', users.listAccountMembers),
  row('POST', '/v1/admin/accounts/{id}/credits', 'operator', addCredits),
  row('POST', '/v1/admin/accounts/{id}/adjustments', 'operator', adjustBalance),
  row('POST', '/v1/admin/accounts/{id}/export', 'operator', exportAccount),
  row('PUT', '/v1/admin/accounts/{id}/plan', 'operator', accounts.setAccountPlan),
  row('GET', '/v1/admin/plans', 'operator', plans.listAllPlans),
  row('POST', '/v1/admin/plans', 'operator', plans.createPlan),
  row('GET', '/v1/admin/plans/{id}', 'operator', plans.getPlan),
  row('PATCH', '/v1/admin/plans/{id}', 'operator', plans.updatePlan),
  row('PUT', '/v1/admin/plans/{id}', 'operator', plans.replacePlan),
  row('GET', '/v1/admin/codes', 'operator', codes.listCodes),
  row('POST', '/v1/admin/codes', 'operator', codes.createCodes),
  row('GET', '/v1/admin/codes/{id}', 'operator', codes.getCode),
  row('DELETE', '/v1/admin/codes/{id}', 'operator', codes.revokeCodes),
  row('GET', '/v1/admin/users', 'operator', users.listUsers),
  row('POST', '/v1/admin/users', 'operator', users.createUser),
  row('GET', '/v1/admin/users/{id}', 'operator', users.getUser),
  row('PATCH', '/v1/admin/users/{id}', 'operator', users.updateUser),
  row('POST', '/v1/admin/users/{id}/reset-password', 'operator', startPasswordReset),
  row('POST', '/v1/admin/users/{id}/disable', 'operator', users.disableUser),
  row('POST', '/v1/admin/users/{id}/enable', 'operator', users.enableUser),
  row('POST', '/v1/admin/users/{id}/end-sessions', 'operator', users.endUserSessions),
  row('POST', '/v1/admin/keys/{id}/disable', 'operator', disableKey),
  row('POST', '/v1/admin/keys/{id}/enable', 'operator', enableKey),
  row('GET', '/v1/admin/requests', 'operator', requests.listAllRequests),
  row('GET', '/v1/admin/requests/{request_id}', 'operator', requests.getAnyRequest),
  row('GET', '/v1/admin/requests/{request_id}/refusal', 'operator', getRefusal),
  row('GET', '/v1/admin/refusals', 'operator', listAllRefusals),
  row('GET', '/v1/admin/alerts', 'operator', listAlerts),
  row('GET', '/v1/admin/audit', 'operator', getAudit),
  row('GET', '/v1/admin/audit-log', 'operator', listAuditLog),
  row('GET', '/v1/admin/audit-log/{id}', 'operator', getAuditEntry),
];

/** Paths that client libraries try and that we do not serve. */
export const UNSUPPORTED_PATHS: Readonly<Record<string, string>> = {
  '/v1/completions': 'This API is not supported. Use POST /v1/chat/completions instead.',
};

type AccessName = keyof typeof ACCESS;

/** Only what asks for nobody may answer a row on which nobody may be known. */
type TargetOf<Name extends AccessName> = (typeof ACCESS)[Name]['auth'] extends BearerKind
  ? Target
  : PublicOperation;

function row<const Name extends AccessName>(
  method: HttpMethod,
  path: string,
  access: Name,
  target: TargetOf<Name>,
  legacy?: string,
): Route {
  return { method, path, ...ACCESS[access], target, ...(legacy === undefined ? {} : { legacy }) };
}
