import { AppError, type Clock, fromIsoTime, type Logger } from '@tollgate/core';
import type { billingV1, identityV1 } from '@tollgate/protos';
import {
  controlPlane,
  createRpcClient,
  type controlPlane as definitionOf,
  followStream,
  type RpcClient,
  type RpcSecurity,
} from '@tollgate/rpc';
import type { AccountRole, AddressCheck, KeyBudget, Principal } from '../auth/principal';
import type { Revocation } from '../auth/principal-cache';
import type { RequestLimits } from '../limits/limiter';

type ClientOf<Name extends Parameters<typeof definitionOf>[0]> = RpcClient<
  ReturnType<typeof definitionOf<Name>>
>;

export type IdentityClient = ClientOf<'identity'>;
export type BillingClient = ClientOf<'billing'>;
export type RoutingClient = ClientOf<'routing'>;
export type StatsClient = ClientOf<'stats'>;
export type WebhookClient = ClientOf<'webhook'>;

/** The services that the gateway asks. */
export interface ControlPlane {
  readonly identity: IdentityClient;
  readonly billing: BillingClient;
  readonly routing: RoutingClient;
  readonly stats: StatsClient;
  readonly webhook: WebhookClient;
  close(): void;
}

export interface ControlPlaneOptions {
  readonly addresses: Readonly<
    Record<'identity' | 'billing' | 'routing' | 'stats' | 'webhook', string>
  >;
  readonly security: RpcSecurity;
  readonly host: { readonly clock: Clock; readonly logger: Logger };
  readonly deadlineMs: number;
}

/** Clients connect when they are first used. */
export function createControlPlane(options: ControlPlaneOptions): ControlPlane {
  const { addresses, security, host, deadlineMs } = options;
  const settings = { caller: 'gateway', security, host, deadlineMs } as const;
  const connect = <Name extends keyof typeof addresses>(name: Name): ClientOf<Name> =>
    createRpcClient(controlPlane(name), { ...settings, address: addresses[name] });
  const plane = {
    identity: connect('identity'),
    billing: connect('billing'),
    routing: connect('routing'),
    stats: connect('stats'),
    webhook: connect('webhook'),
  };
  return {
    ...plane,
    close() {
      for (const client of Object.values(plane)) client.close();
    },
  };
}

/** What a frame of the revocation stream changes. */
export interface RevocationListener {
  onChanges(revision: bigint, changes: readonly Revocation[], reset: boolean): void;
  onState(connected: boolean): void;
}

const HEARTBEATS_MISSED_MS = 3000;
const BACKOFF = { initialMs: 100, maxMs: 2000 };

/** Follows identity's changes of principals for as long as the gateway runs. */
export function followRevocations(
  identity: IdentityClient,
  listener: RevocationListener,
  host: { readonly clock: Clock; readonly logger: Logger },
): { stop(): void } {
  let applied = 0n;
  return followStream({
    name: 'revocations',
    open: () => identity.watchRevocations({ afterRevision: applied.toString() }),
    onMessage({ revision, changes, reset }) {
      applied = BigInt(revision);
      listener.onChanges(applied, changes, reset);
    },
    onState: listener.onState,
    silenceTimeoutMs: HEARTBEATS_MISSED_MS,
    backoff: BACKOFF,
    clock: host.clock,
    logger: host.logger,
  });
}

/** The limits of every plan, by plan id. */
export function fromPlans(
  answer: billingV1.ListPlansResponse__Output,
): ReadonlyMap<string, RequestLimits> {
  return new Map(
    answer.plans.map(({ id, requestsPerMinute, requestsPerDay, concurrentRequests }) => [
      id,
      { requestsPerMinute, requestsPerDay, concurrentRequests },
    ]),
  );
}

/** A key's principal as identity sends it; `toAddressCheck` builds the list of allowed addresses. */
export function fromPrincipal(
  source: identityV1.Principal__Output,
  toAddressCheck: (entries: readonly string[]) => AddressCheck,
): Principal {
  const { requestsPerMinute, requestsPerDay, concurrentRequests, maxBudget } = source;
  return {
    kind: 'api_key',
    accountId: source.accountId,
    accountName: source.accountName,
    keyId: source.keyId,
    userId: source.userId,
    plan: source.plan,
    suspended: source.accountStatus !== 'ACCOUNT_STATUS_ACTIVE',
    operator: source.operator,
    role: fromRole(source.role),
    scopes: new Set(source.scopes),
    models: source.models,
    pools: source.pools,
    grantedGroups: source.grantedGroups,
    allowsAddress: source.allowedIps.length === 0 ? undefined : toAddressCheck(source.allowedIps),
    expiresAtMs: source.expiresAt === '' ? undefined : (fromIsoTime(source.expiresAt) ?? 0),
    limits: { requestsPerMinute, requestsPerDay, concurrentRequests },
    budget: maxBudget === undefined ? undefined : fromBudget(maxBudget, source.budgetPeriod),
  };
}

function fromBudget(limit: string, period: identityV1.BudgetPeriod__Output): KeyBudget {
  const periods: Readonly<Record<string, KeyBudget['period']>> = {
    BUDGET_PERIOD_DAY: 'day',
    BUDGET_PERIOD_WEEK: 'week',
    BUDGET_PERIOD_MONTH: 'month',
  };
  return { limitNano: BigInt(limit), period: periods[period] ?? 'never' };
}

/** A signed-in user's principal. Throws UNAUTHORIZED for users who may not sign in any more. */
export function fromUser(answer: identityV1.GetUserResponse__Output): Principal {
  const { user, account } = answer;
  if (user === null || account === null || user.status !== 'USER_STATUS_ACTIVE') {
    throw new AppError('UNAUTHORIZED');
  }
  return {
    kind: 'user',
    accountId: account.id,
    accountName: account.name,
    keyId: '',
    userId: user.id,
    plan: account.plan,
    suspended: account.status !== 'ACCOUNT_STATUS_ACTIVE',
    mustChangePassword: user.mustChangePassword,
    operator: user.role === 'ROLE_OPERATOR',
    role: fromRole(user.role),
    scopes: new Set(),
    models: [],
    pools: [],
    grantedGroups: account.groups,
    allowsAddress: undefined,
    expiresAtMs: undefined,
    limits: {},
    budget: undefined,
  };
}

type Role = identityV1.Role__Output;

/** The account role behind identity's; operators have every right anyway. */
function fromRole(role: Role): AccountRole {
  switch (role) {
    case 'ROLE_OWNER':
    case 'ROLE_OPERATOR':
      return 'owner';
    case 'ROLE_ADMIN':
      return 'admin';
    default:
      return 'member';
  }
}
