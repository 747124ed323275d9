import type { Clock } from '@tollgate/core';
import type { CompletionClient } from '../clients/completion-client';
import type { ControlPlane } from '../clients/control-plane';
import { createAddCredits } from './add-credits/handler';
import { createAddMember } from './add-member/handler';
import { createAdjustBalance } from './adjust-balance/handler';
import { createChangePassword } from './change-password/handler';
import { createCheckChannelHealth } from './check-channel-health/handler';
import { createCompleteOAuth } from './complete-oauth/handler';
import { createCreateAccount } from './create-account/handler';
import { createCreateCatalogueModel } from './create-catalogue-model/handler';
import { createCreateChannel } from './create-channel/handler';
import { createCreateKey } from './create-key/handler';
import { createCreateUser } from './create-user/handler';
import { createCreateWebhook } from './create-webhook/handler';
import { createDeleteCatalogueModel } from './delete-catalogue-model/handler';
import { createDeleteChannel } from './delete-channel/handler';
import { createDeleteKey } from './delete-key/handler';
import { createDeleteWebhook } from './delete-webhook/handler';
import { createExchangeOAuthCode } from './exchange-oauth-code/handler';
import { createExplainRoute } from './explain-route/handler';
import { createGetAccount } from './get-account/handler';
import { createGetAudit } from './get-audit/handler';
import { createGetBalance } from './get-balance/handler';
import { createGetChannel } from './get-channel/handler';
import { createGetCurrentUser } from './get-current-user/handler';
import { createGetKey } from './get-key/handler';
import { createGetModel } from './get-model/handler';
import { createGetReceipt } from './get-receipt/handler';
import { createGetStats } from './get-stats/handler';
import { createGetWebhook } from './get-webhook/handler';
import { createListAccounts } from './list-accounts/handler';
import { createListCatalogue } from './list-catalogue/handler';
import { createListChannels } from './list-channels/handler';
import { createListDeliveries } from './list-deliveries/handler';
import { createListKeys } from './list-keys/handler';
import { createListLedger } from './list-ledger/handler';
import { createListMembers } from './list-members/handler';
import { createListModels } from './list-models/handler';
import { createListOAuthProviders } from './list-oauth-providers/handler';
import { createListPlans } from './list-plans/handler';
import { createListUsers } from './list-users/handler';
import { createListWebhooks } from './list-webhooks/handler';
import { createLogIn } from './log-in/handler';
import { createLogOut } from './log-out/handler';
import { createRedeliver } from './redeliver/handler';
import { createRefreshSession } from './refresh-session/handler';
import { createRegisterUser } from './register-user/handler';
import { createRemoveMember } from './remove-member/handler';
import { createRotateKey } from './rotate-key/handler';
import { createRotateWebhookSecret } from './rotate-webhook-secret/handler';
import type { Caller, HttpMethod, Route } from './route';
import { createSetAccountPlan } from './set-account-plan/handler';
import { createStartOAuth } from './start-oauth/handler';
import { createTestWebhook } from './test-webhook/handler';
import { createUpdateAccount } from './update-account/handler';
import { createUpdateCatalogueModel } from './update-catalogue-model/handler';
import { createUpdateChannel } from './update-channel/handler';
import { createUpdateKey } from './update-key/handler';
import { createUpdateWebhook } from './update-webhook/handler';

/** What the handlers of the table need. */
export interface RouteDependencies {
  readonly plane: ControlPlane;
  readonly completions: CompletionClient;
  readonly clock: Clock;
}

/** Who may call: the columns auth, scope, role and limiter of a row, by name. */
const member = { auth: 'any', role: 'member', limiter: 'management' } as const;
const CALLERS = {
  chat: { auth: 'api_key', scope: 'completions', role: 'member', limiter: 'metered' },
  completions: { ...member, scope: 'completions' },
  models: { ...member, scope: 'models' },
  keys: { ...member, scope: 'keys' },
  billing: { ...member, scope: 'billing' },
  stats: { ...member, scope: 'stats' },
  webhooks: { ...member, scope: 'webhooks', role: 'admin' },
  // A key must not be able to make people who may do more than it.
  members: { ...member, auth: 'access_token', role: 'admin' },
  operator: { ...member, scope: 'admin', role: 'operator' },
  user: { ...member, auth: 'access_token' },
  session: { ...member, auth: 'optional_access_token' },
  login: { auth: 'public', role: 'anyone', limiter: 'login' },
  anyone: { auth: 'public', role: 'anyone', limiter: 'public' },
} as const satisfies Readonly<Record<string, Caller>>;

function row(
  method: HttpMethod,
  path: string,
  caller: keyof typeof CALLERS,
  serve: Route['serve'],
  legacy?: string,
): Route {
  return { method, path, ...CALLERS[caller], serve, ...(legacy === undefined ? {} : { legacy }) };
}

/** The table: every path of the API, who may call it, what answers, and its path before v1. */
export function createRouteTable(dependencies: RouteDependencies): readonly Route[] {
  return [
    ...createModelRows(dependencies),
    ...createAccountRows(dependencies),
    ...createUserRows(dependencies),
    ...createWebhookRows(dependencies),
    ...createOperatorRows(dependencies),
  ];
}

function createModelRows({ plane, completions }: RouteDependencies): readonly Route[] {
  const { routing } = plane;
  return [
    row('POST', '/v1/llm/chat/completions', 'chat', { chat: 'envelope' }),
    row('POST', '/v1/chat/completions', 'chat', { chat: 'plain' }),
    row('POST', '/v1/llm/route/explain', 'completions', createExplainRoute(completions)),
    row('GET', '/v1/llm/models', 'models', createListModels(routing, 'envelope')),
    row('GET', '/v1/models', 'models', createListModels(routing, 'plain')),
    row('GET', '/v1/models/{id}', 'models', createGetModel(routing)),
  ];
}

function createAccountRows({ plane, clock }: RouteDependencies): readonly Route[] {
  const { identity, billing, stats } = plane;
  return [
    row('GET', '/v1/keys', 'keys', createListKeys(plane, clock), '/api/keys-v2'),
    row('POST', '/v1/keys', 'keys', createCreateKey(identity), '/api/keys-v2'),
    row('GET', '/v1/keys/{id}', 'keys', createGetKey(plane, clock)),
    row('PATCH', '/v1/keys/{id}', 'keys', createUpdateKey(plane, clock)),
    row('DELETE', '/v1/keys/{id}', 'keys', createDeleteKey(identity)),
    row('POST', '/v1/keys/{id}/rotate', 'keys', createRotateKey(plane, clock)),
    row('GET', '/v1/billing/balance', 'billing', createGetBalance(billing), '/api/balance'),
    row('GET', '/v1/billing/plans', 'billing', createListPlans(billing), '/api/plans'),
    row('GET', '/v1/billing/ledger', 'billing', createListLedger(billing)),
    row('GET', '/v1/billing/receipts/{request_id}', 'billing', createGetReceipt(billing)),
    row('GET', '/v1/stats', 'stats', createGetStats(stats, clock), '/api/stats'),
    row('GET', '/v1/account/members', 'members', createListMembers(identity)),
    row('POST', '/v1/account/members', 'members', createAddMember(identity)),
    row('DELETE', '/v1/account/members/{id}', 'members', createRemoveMember(identity)),
  ];
}

function createUserRows({ plane }: RouteDependencies): readonly Route[] {
  const { identity } = plane;
  const login = '/api/oauth/login';
  const callback = '/api/oauth/callback';
  return [
    row('POST', '/v1/users/login', 'login', createLogIn(identity)),
    row('POST', '/v1/users/refresh', 'anyone', createRefreshSession(identity)),
    row('POST', '/v1/users', 'login', createRegisterUser(identity)),
    row('GET', '/v1/users/me', 'user', createGetCurrentUser(identity), '/api/me'),
    row('POST', '/v1/users/logout', 'session', createLogOut(identity)),
    row('POST', '/v1/users/password', 'user', createChangePassword(identity)),
    row('GET', '/v1/oauth/providers', 'anyone', createListOAuthProviders(identity)),
    row('GET', '/v1/oauth/login', 'anyone', createStartOAuth(identity), login),
    row('GET', '/v1/oauth/callback', 'anyone', createCompleteOAuth(identity), callback),
    row('POST', '/v1/oauth/token', 'login', createExchangeOAuthCode(identity)),
  ];
}

function createWebhookRows({ plane: { webhook } }: RouteDependencies): readonly Route[] {
  const one = '/v1/webhooks/{id}';
  return [
    row('GET', '/v1/webhooks', 'webhooks', createListWebhooks(webhook), '/api/webhooks'),
    row('POST', '/v1/webhooks', 'webhooks', createCreateWebhook(webhook), '/api/webhooks'),
    row('GET', one, 'webhooks', createGetWebhook(webhook)),
    row('PATCH', one, 'webhooks', createUpdateWebhook(webhook)),
    row('DELETE', one, 'webhooks', createDeleteWebhook(webhook)),
    row('POST', `${one}/rotate-secret`, 'webhooks', createRotateWebhookSecret(webhook)),
    row('POST', `${one}/test`, 'webhooks', createTestWebhook(webhook)),
    row('GET', `${one}/deliveries`, 'webhooks', createListDeliveries(webhook)),
    row('POST', '/v1/webhooks/deliveries/{id}/redeliver', 'webhooks', createRedeliver(webhook)),
  ];
}

function createOperatorRows({ plane }: RouteDependencies): readonly Route[] {
  const { identity, billing, routing } = plane;
  const channel = '/v1/admin/channels/{id}';
  const oldChannel = '/api/channels/{id}';
  const account = '/v1/admin/accounts/{id}';
  const health = createCheckChannelHealth(routing);
  return [
    row('GET', '/v1/admin/channels', 'operator', createListChannels(routing), '/api/channels'),
    row('POST', '/v1/admin/channels', 'operator', createCreateChannel(routing), '/api/channels'),
    row('GET', channel, 'operator', createGetChannel(routing), oldChannel),
    row('PUT', channel, 'operator', createUpdateChannel(routing), oldChannel),
    row('DELETE', channel, 'operator', createDeleteChannel(routing), oldChannel),
    row('POST', `${channel}/health`, 'operator', health, `${oldChannel}/health`),
    row('GET', '/v1/admin/models', 'operator', createListCatalogue(routing)),
    row('POST', '/v1/admin/models', 'operator', createCreateCatalogueModel(routing)),
    row('PUT', '/v1/admin/models/{id}', 'operator', createUpdateCatalogueModel(routing)),
    row('DELETE', '/v1/admin/models/{id}', 'operator', createDeleteCatalogueModel(routing)),
    row('GET', '/v1/admin/accounts', 'operator', createListAccounts(identity)),
    row('POST', '/v1/admin/accounts', 'operator', createCreateAccount(identity)),
    row('GET', account, 'operator', createGetAccount(identity)),
    row('PATCH', account, 'operator', createUpdateAccount(identity)),
    row('POST', `${account}/credits`, 'operator', createAddCredits(plane)),
    row('POST', `${account}/adjustments`, 'operator', createAdjustBalance(plane)),
    row('PUT', `${account}/plan`, 'operator', createSetAccountPlan(plane)),
    row('GET', '/v1/admin/users', 'operator', createListUsers(identity)),
    row('POST', '/v1/admin/users', 'operator', createCreateUser(identity)),
    row('GET', '/v1/admin/audit', 'operator', createGetAudit(billing)),
  ];
}

/** Paths that client libraries try and that we do not serve. */
export const UNSUPPORTED_PATHS: Readonly<Record<string, string>> = {
  '/v1/responses': 'This API is not supported. Use POST /v1/chat/completions instead.',
  '/v1/completions': 'This API is not supported. Use POST /v1/chat/completions instead.',
  '/v1/embeddings': 'Embeddings are not supported. POST /v1/chat/completions is.',
};
