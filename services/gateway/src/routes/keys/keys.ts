import {
  eachLimitField,
  fromIsoTime,
  periodEndOf,
  periodStartOf,
  SCOPES,
  toIsoTime,
} from '@tollgate/core';
import type { identityV1 } from '@tollgate/protos';
import { fromProtoPeriod } from '@tollgate/rpc';
import { z } from 'zod';
import { amount, toAmount } from '../../money/amounts';
import { requireAccount } from '../accounts/accounts';
import { toActor } from '../asking/actor';
import { orUndefined } from '../asking/partial-answer';
import { required } from '../asking/required';
import {
  type OperationResult,
  operation,
  type PrincipalContext,
  type Services,
} from '../operation';
import { answerOf } from '../payloads/answer-of';
import { ROTATE_AGAIN, toReplay } from '../payloads/idempotency';
import { listOf, toPageAnswer } from '../payloads/paging';
import {
  deletedSchema,
  displayText,
  gracePeriodBody,
  idParams,
  isoTime,
  named,
  toDeleted,
} from '../payloads/values';
import {
  budgetPeriod,
  KEY_RULES,
  keySettingsSchema,
  metadata,
  scope,
  toKeySettings,
} from './key-settings';

/** An API key as its owner sees it; the secret is never in it. */
export const keySchema = named('ApiKey', {
  id: z.string(),
  name: z.string(),
  preview: z.string().describe('The first characters, enough to recognise the key.'),
  status: z.enum(['active', 'disabled', 'expired', 'exhausted']),
  disabled_by: z
    .enum(['operator', 'account'])
    .nullable()
    .describe('Who switched the key off: what an operator did, an operator undoes; null: nobody.'),
  scopes: z.array(scope),
  models: z.array(z.string()).describe('Empty means every model.'),
  pools: z
    .array(z.string())
    .describe('Channel groups of the account that the key may name; empty means all of them.'),
  allowed_ips: z.array(z.string()).describe('CIDR blocks; empty means any address.'),
  expires_at: isoTime.nullable(),
  max_budget: amount.nullable(),
  budget_period: budgetPeriod.nullable(),
  budget_resets_at: isoTime
    .nullable()
    .describe('When the present budget period ends; null without one.'),
  spend: amount
    .nullable()
    .describe(
      'Charged in the present budget period, or in all when the key has no budget; null when it ' +
        'cannot be told. A budget counts what is charged while the key has one: what was charged ' +
        'before or between two budgets is not in it.',
    ),
  ...eachLimitField(() => z.int().nullable()),
  created_by: z.string().nullable(),
  created_at: isoTime,
  last_used_at: isoTime
    .nullable()
    .describe(
      'It lags by the time between two reports of a gateway at most: half a minute, unless that is ' +
        'set otherwise.',
    ),
  rotation_count: z.int(),
  last_rotated_at: isoTime.nullable(),
  previous_expires_at: isoTime.nullable(),
  metadata,
});

/** A key with its secret, shown once; a replayed answer leaves the secret out. */
const newKeySchema = named('NewApiKey', {
  ...keySchema.shape,
  key: z.string().optional().describe('The whole key. Keep it: it is shown once.'),
});

/** Who has the role `member` sees the keys that they made; admins and owners see all of the account. */
export const listKeys = operation(
  {
    summary: 'List the API keys of the account',
    ...listOf(keySchema),
  },
  async ({ principal, query }, services) => {
    const actor = toActor(principal);
    const { apiKeys, nextCursor } = await services.identity.listApiKeys({ actor, ...query });
    const items = await toKeys(apiKeys, principal.accountId, services);
    return { data: toPageAnswer(items, nextCursor) };
  },
);

export const listAccountKeys = operation(
  {
    summary: 'List the API keys of any account',
    params: idParams,
    ...listOf(keySchema),
  },
  async ({ principal, params, query }, services) => {
    const actor = toActor(principal);
    const accountId = params.id;
    await requireAccount(services, accountId);
    const { apiKeys, nextCursor } = await services.identity.listApiKeys({
      actor,
      accountId,
      ...query,
    });
    const items = await toKeys(apiKeys, accountId, services);
    return { data: toPageAnswer(items, nextCursor) };
  },
);

/** The secret is in this answer and in no other. */
export const createKey = operation(
  {
    summary: 'Create an API key',
    body: keySettingsSchema.extend({ name: displayText }),
    rules: KEY_RULES,
    data: newKeySchema,
    status: 201,
    idempotency: 'optional',
  },
  async ({ principal, body, context }, { identity }) => {
    const { apiKey, secret, replayed } = await identity.createApiKey({
      actor: toActor(principal),
      settings: toKeySettings(body),
      idempotency: context.idempotency,
    });
    const key = toNewKey(required(apiKey));
    const data = replayed ? key : { ...key, key: secret };
    return {
      data,
      ...toReplay(replayed, 'the API key', 'rotate it, or delete it and make another'),
    };
  },
);

export const getKey = operation(
  {
    summary: 'Get one API key',
    params: idParams,
    data: keySchema,
  },
  async ({ principal, params }, services) => {
    const actor = toActor(principal);
    const { apiKey } = await services.identity.getApiKey({ actor, keyId: params.id });
    const [key] = await toKeys([required(apiKey)], principal.accountId, services);
    return { data: key };
  },
);

/** Fields of the body that are left out keep their value. */
export const updateKey = operation(
  {
    summary: 'Change the settings of an API key',
    params: idParams,
    body: keySettingsSchema.extend({ status: z.enum(['active', 'disabled']).optional() }),
    rules: KEY_RULES,
    data: keySchema,
  },
  async (input, services) => {
    const { status, ...settings } = input.body;
    const disabled = status === undefined ? undefined : status === 'disabled';
    return changeKey(input.params.id, toKeySettings(settings, disabled), input, services);
  },
);

/** What PUT sets where the body says nothing: the settings of a new key with a name alone. */
const WHOLE_SETTINGS = {
  scopes: SCOPES.filter((one) => one !== 'admin'),
  models: [],
  pools: [],
  allowed_ips: [],
  expires_at: null,
  max_budget: null,
  budget_period: null,
  metadata: {},
  ...eachLimitField(() => null),
};

export const replaceKey = operation(
  {
    summary: 'Set all settings of an API key: what is left out takes its default',
    params: idParams,
    body: keySettingsSchema.extend({
      name: displayText,
      status: z.enum(['active', 'disabled']).default('active'),
    }),
    rules: KEY_RULES,
    data: keySchema,
  },
  async (input, services) => {
    const { status, ...given } = input.body;
    const settings = toKeySettings({ ...WHOLE_SETTINGS, ...given }, status === 'disabled');
    return changeKey(input.params.id, settings, input, services);
  },
);

async function changeKey(
  keyId: string,
  settings: identityV1.ApiKeySettings,
  { principal }: PrincipalContext,
  services: Services,
): Promise<OperationResult> {
  const asked = { actor: toActor(principal), keyId, settings };
  const { apiKey } = await services.identity.updateApiKey(asked);
  const [key] = await toKeys([required(apiKey)], principal.accountId, services);
  return { data: key };
}

export const deleteKey = operation(
  {
    summary: 'Revoke an API key at once',
    params: idParams,
    data: deletedSchema,
  },
  async ({ principal, params }, { identity }) => {
    await identity.deleteApiKey({ actor: toActor(principal), keyId: params.id });
    return { data: toDeleted(params.id) };
  },
);

/** Same id, new secret; the old one works until `previous_expires_at`. */
export const rotateKey = operation(
  {
    summary: 'Give an API key a new secret',
    params: idParams,
    body: gracePeriodBody('How long the old secret keeps working; 0 ends it at once.'),
    data: newKeySchema,
    idempotency: 'optional',
  },
  async ({ principal, params, body, context }, services) => {
    const { idempotency } = context;
    const { apiKey, secret, replayed } = await services.identity.rotateApiKey({
      actor: toActor(principal),
      keyId: params.id,
      gracePeriodSeconds: body.grace_period_seconds,
      idempotency,
    });
    const [key] = await toKeys([required(apiKey)], principal.accountId, services);
    const data = replayed ? key : { ...key, key: secret };
    return { data, ...toReplay(replayed, 'the new secret', ROTATE_AGAIN) };
  },
);

/** A key's spending: of its budget in the present period, or without a budget in all. */
interface KeySpending {
  readonly spent: string;
}

/** Billing keeps nothing about a budget of which nothing is spent yet in the present period. */
const UNSPENT: KeySpending = { spent: '0' };

/** Keys as the API shows them, with what they spent. */
export async function toKeys(
  keys: readonly identityV1.ApiKey__Output[],
  accountId: string,
  { billing, clock }: Services,
): Promise<readonly z.infer<typeof keySchema>[]> {
  const spending = await loadSpending(keys, accountId, billing);
  return keys.map((key) => toKey(key, spending.get(key.id), clock.now()));
}

/** The spending of some keys; without those of which billing cannot say it, now or at all. */
async function loadSpending(
  keys: readonly identityV1.ApiKey__Output[],
  accountId: string,
  billing: Services['billing'],
): Promise<ReadonlyMap<string, KeySpending>> {
  const carried = keys.flatMap(({ id: keyId, maxBudget: limit, budgetPeriod: period }) =>
    limit === undefined ? [] : { keyId, limit, period },
  );
  const keyIds = keys.map(({ id }) => id);
  if (keyIds.length === 0) return new Map();
  // Keys can be managed, and a new secret is told, whatever billing answers.
  const known = await orUndefined(() => billing.getKeyBudgets({ accountId, keyIds, carried }));
  if (known === undefined) return new Map();
  const spending = new Map<string, KeySpending>(known.spends.map((one) => [one.keyId, one]));
  for (const { keyId } of carried) spending.set(keyId, UNSPENT);
  const budgeted = new Set(carried.map(({ keyId }) => keyId));
  for (const budget of known.budgets) {
    if (budgeted.has(budget.keyId)) spending.set(budget.keyId, budget);
  }
  return spending;
}

/** A new key, the same whenever its creation is answered again. */
function toNewKey(key: identityV1.ApiKey__Output): z.infer<typeof keySchema> {
  return toKey(key, UNSPENT, fromIsoTime(key.createdAt) ?? 0);
}

function toKey(
  key: identityV1.ApiKey__Output,
  spending: KeySpending | undefined,
  now: number,
): z.infer<typeof keySchema> {
  const period = fromProtoPeriod(key.budgetPeriod);
  const resetsAtMs = periodEndOf(period, periodStartOf(period, now));
  return answerOf(keySchema, key, {
    status: statusOf(key, spending),
    disabled_by: disabledBy(key),
    scopes: key.scopes as z.infer<typeof scope>[],
    budget_period: period === 'none' ? null : period,
    // The period is the one that the key has now: billing hears of a change with the next request.
    budget_resets_at: resetsAtMs === undefined ? null : toIsoTime(resetsAtMs),
    spend: spending === undefined ? null : toAmount(spending.spent),
    metadata: key.metadataJson === '' ? {} : fromMetadata(key.metadataJson),
  });
}

function disabledBy(key: identityV1.ApiKey__Output): z.infer<typeof keySchema>['disabled_by'] {
  if (key.disabledByOperator) return 'operator';
  return key.status === 'API_KEY_STATUS_DISABLED' ? 'account' : null;
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
