import { AppError, formatAmount, maxNano, nano, parseNano, ZERO_NANO } from '@tollgate/core';
import type { billingV1 } from '@tollgate/protos';
import { z } from 'zod';
import { operation } from './operation';
import {
  adjustmentText,
  amount,
  fromAmount,
  idParams,
  isoTime,
  PAGE_RULES,
  pageOf,
  pageQuery,
  positiveAmountText,
  required,
  textOrNull,
  toAmount,
  toPage,
} from './values';

const FIRST_SEQ = 1;
const CREDIT_RULE = 'may not take the balance beyond what an account can hold';

const ledgerItemSchema = z.object({
  seq: z.int(),
  kind: z.enum(['credit', 'charge', 'adjustment']),
  amount: amount.meta({ description: 'Below 0 only where an adjustment took back.' }),
  request_id: z.string().nullable(),
  key_id: z.string().nullable(),
  model: z.string().nullable(),
  prompt_tokens: z.int().nullable(),
  completion_tokens: z.int().nullable(),
  source: z.string().nullable(),
  reason: z.string().nullable(),
  note: z
    .string()
    .nullable()
    .meta({ description: 'What the operator wrote to a credit or an adjustment.' }),
  created_at: isoTime,
});

const plan = z.object({
  id: z.string(),
  name: z.string(),
  requests_per_minute: z.int().nullable().meta({ description: 'null is unlimited.' }),
  requests_per_day: z.int().nullable(),
  concurrent_requests: z.int().nullable(),
  price: z.object({ amount, currency: z.string(), period: z.string() }),
  included_credit: amount,
});

export const getBalance = operation(
  {
    summary: 'Get the balance of the account',
    data: z.object({
      account_id: z.string(),
      currency: z.string(),
      balance: amount.meta({ description: 'total_credits less total_usage.' }),
      reserved: amount.meta({ description: 'Held for requests that run or may come next.' }),
      available: amount.meta({ description: 'balance less reserved.' }),
      total_credits: amount.meta({
        description: 'Every credit, with every adjustment since added or taken off.',
      }),
      total_usage: amount.meta({ description: 'Every charge.' }),
      plan: z.string(),
      updated_at: isoTime.nullable(),
    }),
  },
  async ({ principal, context }, { billing }) => {
    const { accountId, plan } = principal;
    const balance = await billing.getBalance({ accountId }, context.rpc);
    return {
      data: {
        account_id: accountId,
        currency: balance.currency,
        balance: toAmount(balance.balance),
        reserved: toAmount(balance.reserved),
        available: toAmount(balance.available),
        total_credits: toAmount(balance.totalCredits),
        total_usage: toAmount(balance.totalUsage),
        plan,
        updated_at: textOrNull(balance.updatedAt),
      },
    };
  },
);

export const listPlans = operation(
  {
    summary: 'List the plans and their limits',
    data: z.object({ items: z.array(plan), current: z.string() }),
  },
  async ({ principal, context }, { billing }) => {
    const { plans } = await billing.listPlans({}, context.rpc);
    const items = plans.map((plan) => ({
      id: plan.id,
      name: plan.name,
      requests_per_minute: plan.requestsPerMinute ?? null,
      requests_per_day: plan.requestsPerDay ?? null,
      concurrent_requests: plan.concurrentRequests,
      price: { amount: toAmount(plan.price), currency: plan.currency, period: plan.period },
      included_credit: toAmount(plan.includedCredit),
    }));
    return { data: { items, current: principal.plan } };
  },
);

/** Billing pages by sequence number; callers see an opaque cursor. */
export const listLedger = operation(
  {
    summary: 'List credits, adjustments and charges, newest first',
    query: pageQuery,
    rules: PAGE_RULES,
    data: pageOf(ledgerItemSchema),
  },
  async ({ principal, query, context }, { billing }) => {
    const { accountId } = principal;
    const beforeSeq = query.cursor === undefined ? '0' : fromCursor(query.cursor);
    const { entries } = await billing.listLedger(
      { accountId, limit: query.limit, beforeSeq },
      context.rpc,
    );
    const last = entries.at(-1);
    // The ledger has no gap: below the last sequence shown there is more until the first.
    const isLast = last === undefined || Number(last.seq) <= FIRST_SEQ;
    return { data: toPage(entries.map(toLedgerItem), isLast ? '' : toCursor(last.seq)) };
  },
);

export const getReceipt = operation(
  {
    summary: 'Show how one request was charged',
    params: z.object({ request_id: z.string() }),
    data: z.object({
      request_id: z.string(),
      client_request_id: z.string().nullable(),
      seq: z.int(),
      key_id: z.string(),
      model: z.string(),
      requested_model: z.string(),
      reserve: amount.meta({ description: 'Held back before the request began.' }),
      settle: amount.meta({ description: 'Charged.' }),
      release: amount.meta({ description: 'Given back.' }),
      price_version: z.int(),
      prices: z.object({ prompt: amount, completion: amount, cached_prompt: amount }),
      prompt_tokens: z.int(),
      completion_tokens: z.int(),
      cached_tokens: z.int(),
      source: z.string().meta({ description: 'exact, counted, partial or none.' }),
      end_reason: z.string(),
      status: z.string(),
      error_code: z.string().nullable(),
      settled_reason: z.string(),
      stream: z.boolean(),
      started_at: isoTime,
      ended_at: isoTime,
      settled_at: isoTime,
    }),
  },
  async ({ principal, params, context }, { billing }) => {
    const { entry } = await billing.getReceipt(
      { accountId: principal.accountId, requestId: params.request_id },
      context.rpc,
    );
    if (entry === null || entry.record === null) throw new AppError('NOT_FOUND');
    return { data: toReceipt(entry, entry.record) };
  },
);

/** Billing opens an account's books at their first use, so identity is asked whether it exists. */
export const addCredits = operation(
  {
    summary: 'Grant credit to an account',
    params: idParams,
    body: z.strictObject({
      amount: positiveAmountText,
      note: z.string().max(500).default(''),
    }),
    rules: { amount: CREDIT_RULE },
    data: ledgerItemSchema,
    status: 201,
    idempotency: 'required',
  },
  async ({ params, body, context }, { billing, identity }) => {
    await identity.getAccount({ accountId: params.id }, context.rpc);
    const { entry, replayed } = await billing.addCredits(
      {
        accountId: params.id,
        amount: fromAmount(body.amount).toString(),
        note: body.note,
        idempotencyKey: context.idempotency.key,
      },
      context.rpc,
    );
    return { data: toLedgerItem(required(entry)), replayed };
  },
);

/** As for credit, identity is asked whether the account exists. */
export const adjustBalance = operation(
  {
    summary: 'Correct the balance of an account',
    params: idParams,
    body: z.strictObject({
      amount: adjustmentText,
      reason: z
        .string()
        .max(500)
        .regex(/\S/, 'must say why.')
        .meta({ description: 'Why; stands in the ledger as the note of the entry.' }),
    }),
    rules: { amount: CREDIT_RULE },
    data: ledgerItemSchema,
    status: 201,
    idempotency: 'required',
  },
  async ({ params, body, context }, { billing, identity }) => {
    await identity.getAccount({ accountId: params.id }, context.rpc);
    const { entry, replayed } = await billing.adjustBalance(
      {
        accountId: params.id,
        amount: fromAmount(body.amount).toString(),
        reason: body.reason,
        idempotencyKey: context.idempotency.key,
      },
      context.rpc,
    );
    return { data: toLedgerItem(required(entry)), replayed };
  },
);

function toLedgerItem(entry: billingV1.LedgerEntry__Output): z.infer<typeof ledgerItemSchema> {
  const { record } = entry;
  return {
    seq: Number(entry.seq),
    kind: kindOf(entry.kind),
    amount: toAmount(entry.amount),
    request_id: textOrNull(record?.requestId ?? ''),
    key_id: textOrNull(record?.keyId ?? ''),
    model: textOrNull(record?.model ?? ''),
    prompt_tokens: record?.promptTokens ?? null,
    completion_tokens: record?.completionTokens ?? null,
    source: textOrNull(record?.source ?? ''),
    reason: textOrNull(record?.reason ?? ''),
    note: textOrNull(entry.note),
    created_at: entry.at,
  };
}

function kindOf(kind: string): z.infer<typeof ledgerItemSchema>['kind'] {
  return kind === 'credit' || kind === 'adjustment' ? kind : 'charge';
}

function toCursor(seq: string): string {
  return Buffer.from(`seq:${seq}`).toString('base64url');
}

function fromCursor(cursor: string): string {
  const match = /^seq:(\d{1,18})$/.exec(Buffer.from(cursor, 'base64url').toString('latin1'));
  if (match?.[1] !== undefined) return match[1];
  throw new AppError('VALIDATION_ERROR', {
    publicMessage: 'cursor: must be a next_cursor of this list.',
    param: 'cursor',
  });
}

function toReceipt(entry: billingV1.LedgerEntry__Output, record: billingV1.UsageRecord__Output) {
  const released = nano(parseNano(record.drawn) - parseNano(entry.amount));
  return {
    request_id: record.requestId,
    client_request_id: textOrNull(record.clientRequestId),
    seq: Number(entry.seq),
    key_id: record.keyId,
    model: record.model,
    requested_model: record.requestedModel,
    reserve: toAmount(record.drawn),
    settle: toAmount(entry.amount),
    release: formatAmount(maxNano(released, ZERO_NANO)),
    price_version: record.priceVersion,
    prices: {
      prompt: toAmount(record.promptPrice),
      completion: toAmount(record.completionPrice),
      cached_prompt: toAmount(record.cachedPromptPrice),
    },
    prompt_tokens: record.promptTokens,
    completion_tokens: record.completionTokens,
    cached_tokens: record.cachedTokens,
    source: record.source,
    end_reason: record.reason,
    status: record.status,
    error_code: textOrNull(record.errorCode),
    settled_reason: entry.settledReason,
    stream: record.stream,
    started_at: record.startedAt,
    ended_at: record.endedAt,
    settled_at: entry.at,
  };
}
