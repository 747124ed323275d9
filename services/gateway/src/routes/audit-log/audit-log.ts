import type { identityV1 } from '@tollgate/protos';
import { z } from 'zod';
import { toActor } from '../asking/actor';
import { required } from '../asking/required';
import { operation } from '../operation';
import { identifier, listOf, readSpan, timeSpan, toPageAnswer } from '../payloads/paging';
import { idParams, isoTime, named, textOrNull } from '../payloads/values';

/** A management write, as the list of the log shows it. */
const entrySchema = named('AuditLogEntrySummary', {
  id: z.string(),
  at: isoTime,
  operation: z.string().meta({
    description: 'Method and path; the type of the event where a service acted by itself.',
    example: 'PATCH /v1/keys/{id}',
  }),
  actor: z.object({
    kind: z.enum(['api_key', 'user', 'anyone', 'system']),
    account_id: z.string().nullable(),
    user_id: z.string().nullable(),
    key_id: z.string().nullable(),
    operator: z.boolean(),
  }),
  account_id: z
    .string()
    .nullable()
    .describe('Whose resource it is; null for what belongs to the platform.'),
  resource: z.object({ type: z.string(), id: z.string().nullable() }),
  address: z.string().describe('Where the request came from.'),
  request_id: z.string(),
  outcome: z
    .enum(['succeeded', 'unknown'])
    .describe(
      'unknown: it was begun and its end was not noted, so that it may have been made or not. ' +
        'Refused writes have no entry.',
    ),
  error_code: z.string().nullable(),
});

const json = z.record(z.string(), z.unknown()).nullable();
const wholeEntrySchema = named('AuditLogEntry', {
  ...entrySchema.shape,
  request: json.describe('What was sent, without secrets.'),
  before: json.describe('The resource of the path as it was just before the write.'),
  after: json.describe('What the write answered, without secrets.'),
});

export const listAuditLog = operation(
  {
    summary: 'List management writes, newest first',
    ...listOf(entrySchema, {
      ...timeSpan,
      actor: identifier('The id of the user or of the API key that wrote, or system.'),
      account_id: identifier('The account whose resource it is.'),
      operation: identifier('Method and path, such as PATCH /v1/keys/{id}.'),
      resource_id: identifier('The id of the resource.'),
    }),
  },
  async ({ principal, query }, { identity }) => {
    const { entries, nextCursor } = await identity.listAuditEntries({
      actor: toActor(principal),
      limit: query.limit,
      cursor: query.cursor,
      byActor: query.actor ?? '',
      accountId: query.account_id ?? '',
      operation: query.operation ?? '',
      resourceId: query.resource_id ?? '',
      ...readSpan(query),
    });
    return { data: toPageAnswer(entries.map(toEntry), nextCursor) };
  },
);

export const getAuditEntry = operation(
  {
    summary: 'Get one management write, with what it changed',
    params: idParams,
    data: wholeEntrySchema,
  },
  async ({ principal, params }, { identity }) => {
    const actor = toActor(principal);
    const answer = await identity.getAuditEntry({ actor, id: params.id });
    const entry = required(answer.entry);
    return {
      data: {
        ...toEntry(entry),
        request: fromJson(entry.requestJson),
        before: fromJson(entry.beforeJson),
        after: fromJson(entry.afterJson),
      },
    };
  },
);

function fromJson(text: string): z.infer<typeof json> {
  return text === '' ? null : (JSON.parse(text) as Record<string, unknown>);
}

function toEntry(entry: identityV1.AuditEntry__Output): z.infer<typeof entrySchema> {
  const { actorAccountId, actorUserId, actorKeyId } = entry;
  return {
    id: entry.id,
    at: entry.at,
    operation: entry.operation,
    actor: {
      kind: kindOf(entry),
      account_id: textOrNull(actorAccountId),
      user_id: actorUserId === SYSTEM ? null : textOrNull(actorUserId),
      key_id: textOrNull(actorKeyId),
      operator: entry.operator,
    },
    account_id: textOrNull(entry.accountId),
    resource: { type: entry.resourceType, id: textOrNull(entry.resourceId) },
    address: entry.remoteAddress,
    request_id: entry.requestId,
    outcome: entry.outcome === 'AUDIT_OUTCOME_SUCCEEDED' ? 'succeeded' : 'unknown',
    error_code: textOrNull(entry.errorCode),
  };
}

/** Identity's word for a service that acted by itself. */
const SYSTEM = 'system';

function kindOf({ actorKeyId, actorUserId, actorAccountId }: identityV1.AuditEntry__Output) {
  if (actorKeyId !== '') return 'api_key';
  if (actorUserId === SYSTEM) return 'system';
  return actorAccountId === '' ? 'anyone' : 'user';
}
