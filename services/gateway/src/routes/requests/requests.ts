import { isCode } from '@tollgate/core';
import { type billingV1, completionV1 } from '@tollgate/protos';
import { z } from 'zod';
import { writeKept } from '../../chat/kept-answers/replay-kept';
import { accountModelsOf } from '../../chat/request';
import { amount, toAmount } from '../../money/amounts';
import { createPartialAnswer } from '../asking/partial-answer';
import { operation, type Services } from '../operation';
import { answerOf } from '../payloads/answer-of';
import {
  identifier,
  listOf,
  readSpan,
  requestCursor,
  timeSpan,
  toPageAnswer,
} from '../payloads/paging';
import { isoTime, named, requestIdParams, textOrNull } from '../payloads/values';
import { deliveriesSchema, readDeliveries } from '../webhooks/webhooks';
import { listPriceSchema, readListPrice } from './list-price';
import {
  refusedRequestSchema,
  refusedRequestStorySchema,
  tellOwnRefusedRequest,
  tellRefusedRequest,
} from './refused-request';
import { conditionsSchema, readConditions } from './request-conditions';
import {
  type Charge,
  failedAttemptSchema,
  readAttempts,
  storySchema,
  toStory,
} from './request-story';

type Entry = billingV1.LedgerEntry__Output;

const status = z.enum(['succeeded', 'failed']);

/** A finished request as its account sees it in a list. */
const requestSchema = named('Request', {
  id: z.string().describe('The X-Request-Id of its answer.'),
  client_request_id: z.string().nullable(),
  status,
  error_code: z.string().nullable(),
  end_reason: z.string().describe('Why the answer ended, for example stop or length.'),
  key_id: z.string(),
  user_id: z.string().nullable().describe('Who made the API key.'),
  requested_model: z.string(),
  model: z.string().describe('The model that was really used.'),
  stream: z.boolean(),
  attempts: z.int().describe('Calls to vendors, the last one included.'),
  prompt_tokens: z.int(),
  completion_tokens: z.int(),
  cached_tokens: z.int(),
  charge: amount,
  latency_ms: z.int(),
  first_token_ms: z.int().nullable(),
  started_at: isoTime,
  ended_at: isoTime,
});

/** Fields of a request that only operators see. */
const operatorSchema = named('OperatorRequest', {
  ...requestSchema.shape,
  account_id: z.string(),
  channel_id: z.string().nullable(),
  own_channel: z.boolean().describe("Served by the account's own channel."),
});

/** Where the reservation was held, and what a vendor took that nobody pays. */
const operatorStorySchema = named('OperatorRequestStory', {
  ...operatorSchema.shape,
  ...storySchema.shape,
  lease: z.object({ number: z.int(), record: z.int(), holder: z.string() }),
  vendor_absorbed: amount.describe('What vendors took for work without an answer.'),
  failed_attempts: z.array(failedAttemptSchema).describe('In their order.'),
  list_price: listPriceSchema
    .nullable()
    .describe("Null where the account's own channel answered, and where it cannot be told now."),
  deliveries: deliveriesSchema,
  now: conditionsSchema,
});
export type OperatorRequestStory = z.output<typeof operatorStorySchema>;

const requestFields = {
  ...timeSpan,
  key_id: identifier('The API key that was used.'),
  model: identifier('The model that was really used.'),
  status: status.optional(),
  error_code: z
    .string()
    .regex(/^[A-Z_]{1,64}$/, 'must be a code of the error table such as UPSTREAM_ERROR.')
    .optional(),
  client_request_id: identifier('What the client sent as X-Request-Id.'),
};
const requestList = listOf(requestSchema, requestFields);

/** Finished requests: those that a limit or a check refused were never begun. */
export const listRequests = operation(
  {
    summary: 'List the requests of the account, newest first',
    ...requestList,
  },
  async ({ principal, query }, { billing }) => {
    const page = await searchCharges(billing, principal.accountId, query);
    return { data: toPageAnswer(page.records.map(toRequest), page.nextCursor) };
  },
);

export const listAllRequests = operation(
  {
    summary: 'List the requests of one account or of all, newest first',
    ...listOf(operatorSchema, {
      ...requestFields,
      account_id: identifier('Absent: every account.'),
      channel_id: identifier('The channel that answered, or the last that was asked.'),
    }),
  },
  async ({ query }, { billing }) => {
    const { account_id: accountId = '' } = query;
    const page = await searchCharges(billing, accountId, query);
    return { data: toPageAnswer(page.records.map(toOperatorRequest), page.nextCursor) };
  },
);

export const getRequest = operation(
  {
    summary: 'Tell the story of a request',
    params: requestIdParams,
    data: z.union([requestSchema.extend(storySchema.shape), refusedRequestSchema]),
  },
  async (input, services) => {
    const { principal, params } = input;
    const { request_id: id } = params;
    const charge = await findCharge(services.billing, principal.accountId, id);
    if (charge === undefined) return { data: await tellOwnRefusedRequest(id, input, services) };
    return { data: { ...toRequest(charge), ...toStory(charge) } };
  },
);

export const getAnswer = operation(
  {
    summary: 'Get the answer of a request that was kept, in the format in which it was asked',
    params: requestIdParams,
    data: z.unknown().describe('The body that the completion was answered with.'),
    withoutEnvelope: true,
    text: 'text/event-stream',
  },
  async ({ principal, params }, { billing, plans }) => {
    const { accountId, keyId, models } = principal;
    const plan = await plans.planOf(principal.plan);
    const rights = { models: [...models], accountModels: accountModelsOf(principal, plan) };
    const asked = { accountId, keyId, requestId: params.request_id };
    const { answer, writing } = await billing.getAnswer(asked);
    const kept = { ...asked, answer: completionV1.KeptAnswer.decode(answer) };
    return writeKept(kept, writing, rights);
  },
);

export const getAnyRequest = operation(
  {
    summary: 'Tell the story of a request of any account',
    params: requestIdParams,
    data: z.union([operatorStorySchema, refusedRequestStorySchema]),
  },
  async (input, services) => {
    const { params } = input;
    const { request_id: id } = params;
    const charge = await findCharge(services.billing, '', id);
    if (charge === undefined) return { data: await tellRefusedRequest(id, input, services) };
    const { failedAttempts, lease, number, holder, vendorAbsorbed } = charge.record;
    const { accountId, endedAt, startedAt } = charge.record;
    const span = { startAtMs: Date.parse(startedAt), endAtMs: Date.parse(endedAt) };
    const { ask } = createPartialAnswer();
    const [listPrice, deliveries, now] = await Promise.all([
      ask('list price', () => readListPrice(charge.record, input, services)),
      readDeliveries(accountId, span, services),
      readConditions(charge.record, input, services),
    ]);
    return {
      data: {
        ...toOperatorRequest(charge),
        ...toStory(charge),
        lease: { number: lease, record: number, holder },
        vendor_absorbed: toAmount(vendorAbsorbed),
        failed_attempts: readAttempts(failedAttempts),
        list_price: listPrice ?? null,
        deliveries,
        now,
      },
    };
  },
);

async function searchCharges(
  billing: Services['billing'],
  accountId: string,
  query: z.output<typeof requestList.query> & { readonly channel_id?: string | undefined },
) {
  const { limit, cursor, key_id: keyId = '', model = '', status = '' } = query;
  const { error_code: errorCode = '', channel_id: channelId = '' } = query;
  const { client_request_id: clientRequestId = '' } = query;
  const answer = await billing.searchCharges({
    accountId,
    limit,
    beforeRequestId: requestCursor.read(cursor),
    filter: { keyId, model, status, errorCode, channelId, clientRequestId, ...readSpan(query) },
  });
  const { nextBeforeRequestId: next } = answer;
  return { records: answer.entries.flatMap(toCharge), nextCursor: requestCursor.write(next) };
}

/** Undefined for a request that was never begun, or is nowhere known. */
async function findCharge(
  billing: Services['billing'],
  accountId: string,
  requestId: string,
): Promise<Charge | undefined> {
  try {
    const { entry } = await billing.getReceipt({ accountId, requestId });
    return entry === null ? undefined : toCharge(entry)[0];
  } catch (error) {
    if (isCode(error, 'NOT_FOUND')) return undefined;
    throw error;
  }
}

function toCharge(entry: Entry): readonly Charge[] {
  return entry.record === null ? [] : [{ entry, record: entry.record }];
}

function toRequest({ entry, record }: Charge): z.infer<typeof requestSchema> {
  return answerOf(requestSchema, record, {
    id: record.requestId,
    status: record.status === 'failed' ? 'failed' : 'succeeded',
    end_reason: record.reason,
    charge: toAmount(entry.amount),
  });
}

function toOperatorRequest(charge: Charge): z.infer<typeof operatorSchema> {
  const { accountId, channelId, ownChannel } = charge.record;
  return {
    ...toRequest(charge),
    account_id: accountId,
    channel_id: textOrNull(channelId),
    own_channel: ownChannel,
  };
}
