import { createId, type Logger, sha256Hex, toAppError, toIsoTime } from '@tollgate/core';
import type { identityV1 } from '@tollgate/protos';
import { toActor } from '../asking/actor';
import type { CheckedInput, Operation, OperationResult, Services } from '../operation';
import type { Route } from '../table';

/** Whether a request of the row is a management write, and so has an entry in the log. */
export function hasAuditEntry(route: Route): route is RouteWithEntry {
  if (route.method === 'GET' || route.target.kind === 'chat') return false;
  return route.target.schema.withoutAuditEntry === undefined;
}

type RouteWithEntry = Route & { readonly target: Operation };

/** One management write that is about to be made. */
export interface WriteWithEntry {
  readonly route: RouteWithEntry;
  /** Every row: the one that reads the resource is among them. */
  readonly routes: readonly Route[];
  readonly input: CheckedInput;
  readonly services: Services;
  readonly logger: Logger;
}

/**
 * Makes a write that has an entry in the log: the entry is durable before the write is made, and
 * says how it ended before the answer leaves. A process that dies in between leaves the entry with
 * an unknown outcome. Without identity no write is made.
 */
export async function writeWithEntry(write: WriteWithEntry): Promise<OperationResult> {
  const { route, input, services } = write;
  const entry = await beginEntry(write);
  await services.identity.beginAuditEntry({ entry });
  const end = (ending: Omit<identityV1.EndAuditEntryRequest, 'id'>) =>
    endEntry(write, { id: entry.id, ...ending });
  try {
    const result = await route.target.handle(input, services);
    if ('replayed' in result && result.replayed === true) await end({ nothingDone: true });
    else await end({ outcome: 'AUDIT_OUTCOME_SUCCEEDED', ...whatWasMade(write, result) });
    return result;
  } catch (error) {
    const { code, definition } = toAppError(error);
    await end(definition.httpStatus < 500 ? { nothingDone: true } : { errorCode: code });
    throw error;
  }
}

async function beginEntry(write: WriteWithEntry) {
  const { route, input, services } = write;
  const { principal, body, context } = input;
  const [named] = Object.values(input.params ?? {});
  const user = isEmail(named) ? await findByEmail(String(named), write) : undefined;
  const id = user?.id ?? named;
  const before = await readBefore(write);
  return {
    id: createId('auditEntry'),
    at: toIsoTime(services.clock.now()),
    operation: `${route.method} ${route.path}`,
    actorAccountId: principal?.accountId ?? '',
    actorUserId: principal?.userId ?? '',
    actorKeyId: principal?.keyId ?? '',
    operator: principal?.operator ?? false,
    accountId:
      accountOf(route, String(id ?? ''), principal?.accountId ?? '') ||
      channelOwnerIn(before) ||
      (user?.accountId ?? ''),
    resourceType: resourceTypeOf(route),
    resourceId: isEmail(id) ? '' : String(id ?? ''),
    remoteAddress: context.remoteAddress,
    requestId: context.exchange.requestId,
    requestJson: toJson(body),
    beforeJson: toJson(before),
  };
}

/** Who is named by email, so that the entry of a write that breaks off has a subject, and no email. */
async function findByEmail(email: string, { input, services }: WriteWithEntry) {
  const { principal } = input;
  if (principal === undefined) return undefined;
  try {
    const asked = { actor: toActor(principal), email, limit: 1 };
    const { users } = await services.identity.listUsers(asked);
    return users.find((user) => user.email.toLowerCase() === email.trim().toLowerCase());
  } catch {
    return undefined;
  }
}

/** A user may be named by the email. */
function isEmail(id: unknown): boolean {
  return String(id ?? '').includes('@');
}

/** What an operator's row writes belongs to the account that its path names, or to the platform. */
function accountOf({ path }: Route, id: string, own: string): string {
  if (!path.startsWith('/v1/admin/')) return own;
  return path.startsWith('/v1/admin/accounts/{id}') ? id : '';
}

/** `keys` of `/v1/keys` and of `/v1/keys/{id}/rotate`, `users` of the command `/v1/users/password`. */
export function resourceTypeOf({ method, path, target }: RouteWithEntry): string {
  const segments = path.split('/');
  const param = segments.findIndex((segment) => segment.startsWith('{'));
  if (param !== -1) return segments[param - 1] ?? '';
  const isCommand = method === 'POST' && target.schema.status !== 201;
  return segments.at(isCommand ? -2 : -1) ?? '';
}

/** The resource before the write, by the GET of the path up to its id, or of a path that has none. */
async function readBefore({ route, routes, input, services }: WriteWithEntry): Promise<unknown> {
  if (route.target.schema.erases === true) return undefined;
  const own = route.method === 'POST' ? undefined : route.path;
  const path = /^.*\{\w+\}/.exec(route.path)?.[0] ?? own;
  const reading = routes.find((row) => row.method === 'GET' && row.path === path);
  if (reading === undefined || reading.target.kind === 'chat') return undefined;
  const { handle, readResource } = reading.target;
  const asked = { ...input, query: {}, body: undefined };
  try {
    if (readResource !== undefined) return await readResource(asked, services);
    const result = await handle(asked, services);
    return 'data' in result ? result.data : undefined;
  } catch {
    // A resource that is not there, or cannot be read now: the write itself says which.
    return undefined;
  }
}

function whatWasMade({ route }: WriteWithEntry, result: OperationResult) {
  const data = 'data' in result ? result.data : undefined;
  const { id } = (data ?? {}) as { readonly id?: unknown };
  const made = typeof id === 'string' && !route.path.includes('{') ? id : '';
  const { user_id: named } = (data ?? {}) as { readonly user_id?: unknown };
  const isUser = typeof named === 'string' && resourceTypeOf(route) === 'users';
  return {
    afterJson: toJson(data),
    // A user who was named by the email is in the log by the id, which tells nobody who that is.
    resourceId: isUser ? named : made,
    accountId: resourceTypeOf(route) === 'accounts' ? made : ownerIn(data),
  };
}

/** The account that a resource says it belongs to; empty for one of the platform. */
function ownerIn(resource: unknown): string {
  const { account, account_id } = (resource ?? {}) as {
    readonly account?: { readonly id?: unknown };
    readonly account_id?: unknown;
  };
  const owner = account?.id ?? account_id;
  return typeof owner === 'string' ? owner : channelOwnerIn(resource);
}

/** The account that a channel serves alone; empty where it serves all. */
function channelOwnerIn(resource: unknown): string {
  const { owner_account_id: owner } = (resource ?? {}) as { readonly owner_account_id?: unknown };
  return typeof owner === 'string' ? owner : '';
}

const END_ATTEMPTS = 2;

/** The write is made or not by now: an entry that cannot be ended keeps its unknown outcome. */
async function endEntry(
  { services, logger }: WriteWithEntry,
  request: identityV1.EndAuditEntryRequest,
): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await services.identity.endAuditEntry(request);
      return;
    } catch (error) {
      if (attempt < END_ATTEMPTS) continue;
      logger.warn({ error, entry: request.id }, 'an entry of the audit log keeps no outcome');
      return;
    }
  }
}

/** Fields that hold a secret in a request or in an answer, wherever they stand. */
export const SECRET_FIELDS: ReadonlySet<string> = new Set([
  'access_token',
  'code',
  'credential',
  'current_password',
  'key',
  'new_password',
  'password',
  'refresh_token',
  'secret',
]);
const HIDDEN = '[secret]';

function toJson(value: unknown): string {
  if (value === undefined) return '';
  return JSON.stringify(value, (name, field: unknown) => {
    if (typeof field !== 'string') return field;
    if (SECRET_FIELDS.has(name)) return HIDDEN;
    return name === 'url' ? hideWebhookAddress(field) : hideInAddress(field);
  });
}

const DIGEST_LENGTH = 6;

/**
 * Who knows the address of a webhook can call it: it is a secret but for its host. Some digits of
 * its digest say whether it was changed.
 */
function hideWebhookAddress(text: string): string {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) return HIDDEN;
  if (url.href === `${url.origin}/`) return url.href;
  const digest = sha256Hex(url.href).slice(0, DIGEST_LENGTH);
  return `${url.origin}/[secret ${digest}]`;
}

/** A user name and a password in an address: refused by the services, which are asked later. */
const USER_INFO = /\/\/[^/?#\s]*@/g;
/** The query of an address: some vendors want to have a key in it. */
const QUERY = /^(https?:\/\/[^?#]*[?#]).*/is;

function hideInAddress(text: string): string {
  return text.replace(USER_INFO, `//${HIDDEN}@`).replace(QUERY, `$1${HIDDEN}`);
}
