import { AppError, fromIsoTime, toIsoTime } from '@tollgate/core';
import type { identityV1 } from '@tollgate/protos';
import { z } from 'zod';
import type { BillingClient } from '../../clients/control-plane';
import { periodEndMs } from '../../domain/budget-period';
import { SCOPES } from '../../domain/principal';
import type { CallContext } from '../route';
import {
  amount,
  displayText,
  fromAmount,
  isoTime,
  positiveAmountText,
  textOrNull,
  toAmount,
} from './values';

const LIST_MAX = 100;
const LIMIT_MAX = 2_000_000_000;
const CIDR_LENGTH_MAX = 49;
const METADATA_MAX = 16;
const METADATA_NAME_LENGTH_MAX = 64;
const METADATA_VALUE_LENGTH_MAX = 512;
const LIST_ENTRY = /^[A-Za-z0-9][A-Za-z0-9._:/@-]{0,127}$/;
/** Names that mean something else to a document store or to a prototype. */
const ODD_NAME = /^__|^\$|\./;

const scope = z.enum(SCOPES);
const nameList = z.array(z.string().regex(LIST_ENTRY, 'must be a name.')).max(LIST_MAX);
const period = z.enum(['day', 'week', 'month']);
const metadata = z.record(z.string(), z.string().max(METADATA_VALUE_LENGTH_MAX));
const settableMetadata = metadata
  .refine((entries) => Object.keys(entries).length <= METADATA_MAX, 'has too many members.')
  .refine(
    (entries) => Object.keys(entries).every(isMetadataName),
    `names must have 1 to ${METADATA_NAME_LENGTH_MAX} characters, no dot, and no $ or __ in front.`,
  )
  .meta({
    description:
      `At most ${METADATA_MAX} members, their names with 1 to ${METADATA_NAME_LENGTH_MAX} ` +
      'characters, without dots, and without $ or __ in front.',
  });

function isMetadataName(name: string): boolean {
  return name !== '' && name.length <= METADATA_NAME_LENGTH_MAX && !ODD_NAME.test(name);
}

/** An API key as its owner sees it; the secret is never in it. */
export const keySchema = z.object({
  id: z.string(),
  name: z.string(),
  preview: z.string().meta({ description: 'The first characters, enough to recognise the key.' }),
  status: z.enum(['active', 'disabled', 'expired', 'exhausted']),
  scopes: z.array(scope),
  models: z.array(z.string()).meta({ description: 'Empty means every model.' }),
  pools: z.array(z.string()).meta({
    description: 'Channel groups of the account that the key may name; empty means all of them.',
  }),
  allowed_ips: z.array(z.string()).meta({ description: 'CIDR blocks; empty means any address.' }),
  expires_at: isoTime.nullable(),
  max_budget: amount.nullable(),
  budget_period: period.nullable(),
  budget_resets_at: isoTime
    .nullable()
    .meta({ description: 'When the present budget period ends; null without one.' }),
  spend: amount.nullable().meta({
    description:
      'Charged in the present budget period, or in all when the key has no budget; null when it ' +
      'cannot be told.',
  }),
  requests_per_minute: z.int().nullable(),
  requests_per_day: z.int().nullable(),
  concurrent_requests: z.int().nullable(),
  created_by: z.string().nullable(),
  created_at: isoTime,
  last_used_at: isoTime.nullable().meta({ description: 'At most a minute behind.' }),
  rotation_count: z.int(),
  last_rotated_at: isoTime.nullable(),
  previous_expires_at: isoTime.nullable(),
  metadata,
});

/** A key with its secret, shown once; a replayed answer leaves the secret out. */
export const newKeySchema = keySchema.extend({
  key: z.string().optional().meta({ description: 'The whole key. Keep it: it is shown once.' }),
});

const limit = z.int().min(1).max(LIMIT_MAX).nullable().optional();

/** What the owner of a key may set; null clears. */
export const keySettingsSchema = z.strictObject({
  name: displayText.optional(),
  scopes: z.array(scope).min(1).optional(),
  models: nameList.optional(),
  pools: nameList.optional(),
  allowed_ips: z.array(z.string().min(2).max(CIDR_LENGTH_MAX)).max(LIST_MAX).optional().meta({
    description:
      'Addresses or CIDR blocks; empty means any address. IPv4 is written as IPv4, not mapped into IPv6.',
  }),
  expires_at: isoTime.nullable().optional(),
  max_budget: positiveAmountText.nullable().optional(),
  budget_period: period.nullable().optional(),
  requests_per_minute: limit,
  requests_per_day: limit,
  concurrent_requests: limit,
  metadata: settableMetadata.optional(),
});

type KeySettings = z.output<typeof keySettingsSchema>;

const PERIODS = {
  day: 'BUDGET_PERIOD_DAY',
  week: 'BUDGET_PERIOD_WEEK',
  month: 'BUDGET_PERIOD_MONTH',
} as const;

const CLEARED = -1;

/** Members that were left out stay out, so that identity keeps their present value. */
export function toKeySettings(
  settings: KeySettings,
  disabled?: boolean,
): identityV1.ApiKeySettings {
  const list = (values: readonly string[] | undefined) =>
    values === undefined ? null : { values: [...values] };
  const cleared = (value: number | null | undefined) => (value === null ? CLEARED : value);
  return withoutAbsent({
    name: settings.name,
    scopes: list(settings.scopes),
    models: list(settings.models),
    pools: list(settings.pools),
    allowedIps: list(settings.allowed_ips),
    expiresAt: settings.expires_at === null ? '' : settings.expires_at,
    maxBudget: toBudget(settings.max_budget),
    budgetPeriod: toPeriod(settings.budget_period),
    requestsPerMinute: cleared(settings.requests_per_minute),
    requestsPerDay: cleared(settings.requests_per_day),
    concurrentRequests: cleared(settings.concurrent_requests),
    disabled,
    metadataJson: settings.metadata === undefined ? undefined : JSON.stringify(settings.metadata),
  });
}

function toBudget(budget: string | null | undefined): string | undefined {
  if (budget === undefined) return undefined;
  return budget === null ? String(CLEARED) : fromAmount(budget).toString();
}

function toPeriod(value: KeySettings['budget_period']) {
  if (value === undefined) return undefined;
  return value === null ? ('BUDGET_PERIOD_UNSPECIFIED' as const) : PERIODS[value];
}

function withoutAbsent<Value extends object>(
  value: Value,
): { [Name in keyof Value]: Exclude<Value[Name], undefined> } {
  const present = Object.entries(value).filter(([, member]) => member !== undefined);
  return Object.fromEntries(present) as { [Name in keyof Value]: Exclude<Value[Name], undefined> };
}

/** What a key spent: of its budget in the present period, or without a budget in all. */
interface KeySpending {
  readonly spent: string;
}

/** Billing keeps nothing about a budget of which nothing is spent yet in the present period. */
const UNSPENT: KeySpending = { spent: '0' };

/** What some keys spent; without those of which billing cannot say it, now or at all. */
export async function loadSpending(
  billing: BillingClient,
  accountId: string,
  keys: readonly identityV1.ApiKey__Output[],
  rpc: CallContext['rpc'],
): Promise<ReadonlyMap<string, KeySpending>> {
  const carried = keys.flatMap(({ id: keyId, maxBudget: limit, budgetPeriod: period }) =>
    limit === undefined ? [] : { keyId, limit, period },
  );
  const keyIds = keys.map(({ id }) => id);
  if (keyIds.length === 0) return new Map();
  try {
    const known = await billing.getKeyBudgets({ accountId, keyIds, carried }, rpc);
    const spending = new Map<string, KeySpending>(known.spends.map((one) => [one.keyId, one]));
    for (const { keyId } of carried) spending.set(keyId, UNSPENT);
    const budgeted = new Set(carried.map(({ keyId }) => keyId));
    for (const budget of known.budgets) {
      if (budgeted.has(budget.keyId)) spending.set(budget.keyId, budget);
    }
    return spending;
  } catch (error) {
    // Keys can be managed while billing is away; what they spent is then unknown.
    if (error instanceof AppError && error.code === 'SERVICE_UNAVAILABLE') return new Map();
    throw error;
  }
}

/** A key as it was when it was made, whenever that is answered again. */
export function toNewKey(key: identityV1.ApiKey__Output): z.infer<typeof keySchema> {
  return toKey(key, UNSPENT, fromIsoTime(key.createdAt) ?? 0);
}

/** A key as the API shows it. */
export function toKey(
  key: identityV1.ApiKey__Output,
  spending: KeySpending | undefined,
  nowMs: number,
): z.infer<typeof keySchema> {
  const budgetPeriod = fromPeriod(key.budgetPeriod);
  const resetsAtMs = periodEndMs(budgetPeriod ?? 'never', nowMs);
  return {
    id: key.id,
    name: key.name,
    preview: key.preview,
    status: statusOf(key, spending),
    scopes: key.scopes as z.infer<typeof scope>[],
    models: key.models,
    pools: key.pools,
    allowed_ips: key.allowedIps,
    expires_at: textOrNull(key.expiresAt),
    max_budget: key.maxBudget === undefined ? null : toAmount(key.maxBudget),
    budget_period: budgetPeriod,
    // By the period that the key has now: billing hears of a change with the next request.
    budget_resets_at: resetsAtMs === undefined ? null : toIsoTime(resetsAtMs),
    spend: spending === undefined ? null : toAmount(spending.spent),
    requests_per_minute: key.requestsPerMinute ?? null,
    requests_per_day: key.requestsPerDay ?? null,
    concurrent_requests: key.concurrentRequests ?? null,
    created_by: textOrNull(key.createdBy),
    created_at: key.createdAt,
    last_used_at: textOrNull(key.lastUsedAt),
    rotation_count: key.rotationCount,
    last_rotated_at: textOrNull(key.lastRotatedAt),
    previous_expires_at: textOrNull(key.previousExpiresAt),
    metadata: key.metadataJson === '' ? {} : fromMetadata(key.metadataJson),
  };
}

function statusOf(
  key: identityV1.ApiKey__Output,
  spending: KeySpending | undefined,
): z.infer<typeof keySchema>['status'] {
  switch (key.status) {
    case 'API_KEY_STATUS_DISABLED':
      return 'disabled';
    case 'API_KEY_STATUS_EXPIRED':
      return 'expired';
    default: {
      if (spending === undefined || key.maxBudget === undefined) return 'active';
      return BigInt(spending.spent) >= BigInt(key.maxBudget) ? 'exhausted' : 'active';
    }
  }
}

function fromMetadata(json: string): Record<string, string> {
  return JSON.parse(json) as Record<string, string>;
}

function fromPeriod(value: identityV1.BudgetPeriod__Output): z.infer<typeof period> | null {
  switch (value) {
    case 'BUDGET_PERIOD_DAY':
      return 'day';
    case 'BUDGET_PERIOD_WEEK':
      return 'week';
    case 'BUDGET_PERIOD_MONTH':
      return 'month';
    default:
      return null;
  }
}
