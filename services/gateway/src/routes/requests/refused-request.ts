import { AppError, BEARER_FAULTS, isCode, REJECTION_REASONS, toIsoTime } from '@tollgate/core';
import type { identityV1, statsV1 } from '@tollgate/protos';
import { z } from 'zod';
import { publicIdIn } from '../../auth/bearer';
import { toActor } from '../asking/actor';
import { orUndefined } from '../asking/partial-answer';
import { required } from '../asking/required';
import { operation, type PrincipalContext, type Services } from '../operation';
import {
  identifier,
  listOf,
  type PageQuery,
  requestCursor,
  toPageAnswer,
} from '../payloads/paging';
import { isoTime, named, requestIdParams, textOrNull } from '../payloads/values';
import { deliveriesSchema, readDeliveries } from '../webhooks/webhooks';
import { conditionsSchema, readConditions } from './request-conditions';
import { type SoughtRequest, sayUnknown } from './unknown-request';

/** The fields of a refused request that its account sees. */
const accountFields = {
  key_id: z.string().nullable().describe('Null when none is known, and for a signed-in user.'),
  error_code: z.string().describe('A code of the error table.'),
  message: z.string().describe('What the client was told.'),
  param: z.string().nullable().describe('The member that was at fault.'),
  requested_model: z
    .string()
    .nullable()
    .describe(
      'Null when the request was refused before its body was read, or when that names none.',
    ),
  address: z
    .string()
    .nullable()
    .describe(
      'Where it came from. Told of a 401, of a wrong path or method, and of an address that the ' +
        'list of its API key (allowed_ips) does not have; null of others.',
    ),
  bearer: z
    .object({
      fault: z.enum(BEARER_FAULTS),
      presented: z
        .string()
        .nullable()
        .describe(
          'The public part of what was sent, the preview of the key, or of a session the id of its user.',
        ),
    })
    .nullable()
    .describe('Of a request that was refused with 401: why its bearer is not taken.'),
  at: isoTime,
};
/** Those that operators see. */
const operatorFields = {
  account_id: z
    .string()
    .nullable()
    .describe('Null when no API key and no user is known by what was sent.'),
  ...accountFields,
  rejected: z
    .array(
      z.object({
        channel_id: z.string(),
        model: z.string(),
        reason: z.enum(REJECTION_REASONS),
        until: isoTime
          .nullable()
          .describe('Until when its vendor wanted to be left alone; null when it did not.'),
      }),
    )
    .describe('Why no channel could take it at that moment; ten are named at most.'),
  path: z
    .string()
    .nullable()
    .describe(
      'The plain words of the path: of a request by a path or a method that does not exist, and of ' +
        'a 401 of what is no completion. `message` says what was meant.',
    ),
  gateway_id: z.string().describe('Which gateway refused it.'),
};
const KEPT =
  'Kept for 24 hours: in ten seconds up to five of each API key and code, 20 of an account, and ten ' +
  'without a known API key; the log has all.';

/** A completion that was refused before a vendor was asked; nothing was reserved or charged. */
const refusalSchema = named('RequestRefusal', {
  request_id: z.string().describe(KEPT),
  ...operatorFields,
});

const identified = {
  id: z.string().describe(KEPT),
  status: z.literal('refused'),
};

/** The same as its account sees it, in a list and in the place of a story. */
export const refusedRequestSchema = named('RefusedRequest', { ...identified, ...accountFields });

const resembles = z
  .object({
    key_id: z.string(),
    key_name: z.string(),
    account_id: z.string(),
    account_name: z.string().nullable(),
  })
  .nullable()
  .describe(
    'The API key whose beginning is that of what was sent, where no key is known by it. Told to ' +
      'operators alone.',
  );
type Resembled = z.output<typeof resembles>;

const operatorRefusedSchema = named('OperatorRefusedRequest', {
  ...identified,
  ...operatorFields,
  resembles,
});
export type OperatorRefusedRequest = z.output<typeof operatorRefusedSchema>;

/** The same in the place of an operator's story. */
export const refusedRequestStorySchema = named('RefusedRequestStory', {
  ...identified,
  ...operatorFields,
  resembles,
  deliveries: deliveriesSchema,
  now: conditionsSchema.nullable().describe('Null when it is not known whose request it was.'),
});
export type RefusedRequestStory = z.output<typeof refusedRequestStorySchema>;

const LIST = 'refused before a vendor was asked, newest first';

export const listRefusals = operation(
  {
    summary: `List the requests of the account that were ${LIST}`,
    ...listOf(refusedRequestSchema),
  },
  async ({ principal, query }, { stats }) => {
    const page = await findRefusals(stats, principal.accountId, query);
    return { data: toPageAnswer(page.refusals.map(toRefusedRequest), page.nextCursor) };
  },
);

export const listAllRefusals = operation(
  {
    summary: `List the requests of one account or of all that were ${LIST}`,
    ...listOf(operatorRefusedSchema, { account_id: identifier('Absent: every account.') }),
  },
  async (input, services) => {
    const { query } = input;
    const page = await findRefusals(services.stats, query.account_id ?? '', query);
    const keys = await findAllResembled(page.refusals, input, services);
    const items = page.refusals.map((one) => ({
      ...toOperatorRefused(one),
      resembles: keys.get(one.bearer?.presented ?? '') ?? null,
    }));
    return { data: toPageAnswer(items, page.nextCursor) };
  },
);

export const getRefusal = operation(
  {
    summary: 'Tell why a request was refused before a vendor was asked',
    params: requestIdParams,
    data: refusalSchema,
  },
  async ({ params }, { stats }) => {
    const { refusal } = await stats.getRefusal({ requestId: params.request_id });
    const found = required(refusal);
    return { data: { request_id: found.requestId, ...operatorFieldsOf(found) } };
  },
);

/** The same for its account; throws NOT_FOUND when nothing of the account is known of the id. */
export async function tellOwnRefusedRequest(
  requestId: string,
  { principal }: PrincipalContext,
  services: Services,
): Promise<z.output<typeof refusedRequestSchema>> {
  const { accountId } = principal;
  return toRefusedRequest(await findRefusedRequest({ requestId, accountId }, services));
}

/** Throws NOT_FOUND when nothing is known of the id. */
export async function tellRefusedRequest(
  requestId: string,
  viewer: PrincipalContext,
  services: Services,
): Promise<z.output<typeof refusedRequestStorySchema>> {
  const found = await findRefusedRequest({ requestId }, services);
  const { errorCode, keyId, requestedModel = '' } = found;
  const person = await findPerson(found, services);
  const accountId = person?.accountId ?? found.accountId;
  const story = { ...toOperatorRefused(found), account_id: textOrNull(accountId) };
  if (accountId === '') {
    const resembles = await findResembled(found.bearer?.presented ?? '', viewer, services);
    return { ...story, resembles, deliveries: [], now: null };
  }
  const atMs = Date.parse(found.at);
  const refused = { atMs, rejected: story.rejected };
  const of = { accountId, keyId, requestedModel, userId: person?.id ?? '' };
  const asked = { ...of, errorCode, fault: found.bearer?.fault, refused };
  const span = { startAtMs: atMs, endAtMs: atMs };
  const [deliveries, now] = await Promise.all([
    readDeliveries(accountId, span, services),
    readConditions(asked, viewer, services),
  ]);
  return { ...story, resembles: null, deliveries, now };
}

/** Whose session it was, as far as identity knows that person. */
async function findPerson(
  { accountId, bearer }: statsV1.Refusal__Output,
  { identity }: Services,
): Promise<identityV1.User__Output | undefined> {
  const userId = bearer?.presented ?? '';
  if (accountId !== '' || bearer?.fault !== 'session' || userId === '') return undefined;
  const found = await orUndefined(() => identity.getUser({ userId }));
  return found?.user ?? undefined;
}

/** A key that is known, although what was sent is none: it was mistyped or cut off. */
async function findResembled(
  presented: string,
  { principal }: PrincipalContext,
  { identity }: Services,
): Promise<Resembled> {
  const publicId = publicIdIn(presented);
  if (publicId === undefined) return null;
  const actor = toActor(principal);
  const found = await orUndefined(() => identity.getApiKey({ actor, publicId }));
  if (!found?.apiKey) return null;
  const { accountId, id, name } = found.apiKey;
  const owner = await orUndefined(() => identity.getAccount({ accountId }));
  const account_name = owner?.account?.name ?? null;
  return { key_id: id, key_name: name, account_id: accountId, account_name };
}

/** Public parts that are looked up for one page; few clients send a wrong key at once. */
const RESEMBLED_MAX = 20;

/** For requests of a page of which no key is known: the key that what was sent resembles, by that. */
async function findAllResembled(
  refusals: readonly statsV1.Refusal__Output[],
  viewer: PrincipalContext,
  services: Services,
): Promise<ReadonlyMap<string, Resembled>> {
  const ofNobody = refusals.filter(({ accountId }) => accountId === '');
  const sent = new Set(ofNobody.map(({ bearer }) => bearer?.presented ?? ''));
  const found = [...sent]
    .filter((presented) => publicIdIn(presented) !== undefined)
    .slice(0, RESEMBLED_MAX)
    .map(async (one) => [one, await findResembled(one, viewer, services)] as const);
  return new Map(await Promise.all(found));
}

async function findRefusedRequest(
  asked: SoughtRequest,
  services: Services,
): Promise<statsV1.Refusal__Output> {
  try {
    const refusal = required((await services.stats.getRefusal(asked)).refusal);
    // A stats older than this gateway does not look at the account.
    const isForeign = asked.accountId !== undefined && refusal.accountId !== asked.accountId;
    if (isForeign) throw new AppError('NOT_FOUND');
    return refusal;
  } catch (error) {
    if (!isCode(error, 'NOT_FOUND')) throw error;
    const publicMessage = await sayUnknown(asked, services);
    if (publicMessage === undefined) throw error;
    throw new AppError('NOT_FOUND', { publicMessage });
  }
}

async function findRefusals(
  stats: Services['stats'],
  accountId: string,
  { limit, cursor }: PageQuery,
) {
  const asked = { accountId, limit, beforeRequestId: requestCursor.read(cursor) };
  const { refusals, nextBeforeRequestId } = await stats.listRefusals(asked);
  return { refusals, nextCursor: requestCursor.write(nextBeforeRequestId) };
}

function toRefusedRequest(refusal: statsV1.Refusal__Output): z.output<typeof refusedRequestSchema> {
  return { id: refusal.requestId, status: 'refused', ...accountFieldsOf(refusal) };
}

function toOperatorRefused(
  refusal: statsV1.Refusal__Output,
): Omit<OperatorRefusedRequest, 'resembles'> {
  return { id: refusal.requestId, status: 'refused', ...operatorFieldsOf(refusal) };
}

function operatorFieldsOf(refusal: statsV1.Refusal__Output) {
  const { accountId, at, gatewayId, path = null, rejected } = refusal;
  return {
    account_id: textOrNull(accountId),
    ...accountFieldsOf(refusal),
    rejected: rejected.flatMap(({ channelId: channel_id, model, reason: name, retryAfterMs }) => {
      const reason = REJECTION_REASONS.find((known) => known === name);
      const until = retryAfterMs ? toIsoTime(Date.parse(at) + retryAfterMs) : null;
      return reason === undefined ? [] : [{ channel_id, model, reason, until }];
    }),
    path,
    gateway_id: gatewayId,
  };
}

function accountFieldsOf(refusal: statsV1.Refusal__Output) {
  const { keyId, errorCode, message, at, bearer } = refusal;
  const fault = BEARER_FAULTS.find((known) => known === bearer?.fault);
  return {
    key_id: textOrNull(keyId),
    error_code: errorCode,
    message,
    param: refusal.param ?? null,
    requested_model: refusal.requestedModel ?? null,
    address: refusal.address ?? null,
    bearer: fault === undefined ? null : { fault, presented: textOrNull(bearer?.presented ?? '') },
    at,
  };
}
