import {
  AppError,
  EMAIL_LENGTH_MAX,
  eachLimit,
  eachLimitField,
  isCode,
  LIMIT_FIELDS,
  PLAN_BOUNDS,
  withoutUndefined,
} from '@tollgate/core';
import type { identityV1 } from '@tollgate/protos';
import { fromProtoName, toProtoLimit, toProtoName } from '@tollgate/rpc';
import { z } from 'zod';
import { invalidField } from '../../http/errors';
import { toPercent } from '../../money/amounts';
import { toActor } from '../asking/actor';
import { orUndefined } from '../asking/partial-answer';
import { required } from '../asking/required';
import { changeSchema, findDiscountSet } from '../audit-log/changes';
import { readSwitchedOff, switchedOffSchema, switchQuestion } from '../audit-log/switched-off';
import { accountLimit, modelNames, planId } from '../billing/plans';
import { type Operation, operation, type Services } from '../operation';
import { listOf, toPageAnswer } from '../payloads/paging';
import {
  deletedSchema,
  displayText,
  groupName,
  idParams,
  isoTime,
  named,
  toDeleted,
} from '../payloads/values';
import { newUserSchema, PASSWORD_RULE, toNewUser, toUser, userSchema } from '../users/user-form';

const status = z.enum(['active', 'suspended']);
const STATUSES = ['active', 'suspended', 'erasing', 'erased'] as const;
const statusOfAccount = z
  .enum(STATUSES)
  .describe(
    'erasing: nobody is let in, and what is personal is being removed; erased: none of it is left.',
  );

const DISCOUNT_MEANING =
  'Per cent taken off the unit prices, each rounded up to the nano-unit; below 0 a mark-up.';

/** An account as operators see it. */
export const accountSchema = named('Account', {
  id: z.string(),
  name: z.string(),
  plan: z.string(),
  status: statusOfAccount,
  overrides: z.object({
    limits: z
      .object(eachLimitField(() => z.int().nullable().optional()))
      .describe("A member that is absent is the plan's, null is unlimited."),
    groups: z
      .array(z.string())
      .describe('Channel groups that the account may name, besides the ones that are open.'),
    models: z.array(z.string()).describe('Empty means those of the plan.'),
    discount: z.string().meta({ example: '12.50', description: DISCOUNT_MEANING }),
  }),
  created_at: isoTime,
  updated_at: isoTime,
});

/** One account, and of what is unusual with it who made it so. */
const shownAccountSchema = named('ShownAccount', {
  ...accountSchema.shape,
  switched_off: switchedOffSchema
    .nullable()
    .describe('Of a suspended account: who suspended it, and when, where the audit log tells.'),
  discount_set: changeSchema
    .nullable()
    .describe('Who gave it its discount, and when; null without one, and where the log is silent.'),
});
export type ShownAccount = z.output<typeof shownAccountSchema>;

const overrideFields = {
  limits: z
    .strictObject(eachLimitField(() => accountLimit.optional()))
    .describe("Takes the place of the limits before; what is absent is the plan's."),
  groups: z
    .array(groupName)
    .max(PLAN_BOUNDS.grantedGroupsMax)
    .describe('Takes the place of the groups that were granted before.'),
  models: modelNames.describe('Empty means those of the plan.'),
  discount: z
    .string()
    .regex(/^(100(\.0{1,2})?|-900(\.0{1,2})?|-?\d{1,2}(\.\d{1,2})?|-[1-8]\d{2}(\.\d{1,2})?)$/, {
      error: 'must be a percentage such as "12.50" or "-10", from -900 to 100.',
    })
    .meta({ example: '12.50', description: DISCOUNT_MEANING }),
};

export const listAccounts = operation(
  {
    summary: 'List all accounts',
    ...listOf(accountSchema, {
      name: z
        .string()
        .min(1)
        .max(100)
        .optional()
        .describe(
          'How the name begins, in upper or lower case; the list is in the order of names then, and newest ' +
            'first otherwise.',
        ),
      email: z
        .string()
        .min(1)
        .max(EMAIL_LENGTH_MAX)
        .optional()
        .describe('The whole email of a person of the account.'),
      status: statusOfAccount.optional(),
    }),
  },
  async ({ principal, query }, { identity }) => {
    const { name = '', email = '', status: only, ...page } = query;
    const answer = await identity.listAccounts({
      actor: toActor(principal),
      name,
      email,
      ...page,
      ...(only === undefined ? {} : { status: toProtoName('ACCOUNT_STATUS', only) }),
    });
    return { data: toPageAnswer(answer.accounts.map(toAccount), answer.nextCursor) };
  },
);

const PLAN_RULE = 'must be one of GET /v1/billing/plans';

export const createAccount = operation(
  {
    summary: 'Create an account and its owner',
    body: z.strictObject({
      name: displayText,
      plan: planId.default('free'),
      owner: newUserSchema,
    }),
    rules: { plan: PLAN_RULE, 'owner.password': PASSWORD_RULE },
    data: accountSchema.extend({ owner: userSchema }),
    status: 201,
    idempotency: 'optional',
  },
  async ({ principal, body, context }, { billing, identity }) => {
    await requirePlan(billing, body.plan);
    const answer = await identity.createAccount({
      actor: toActor(principal),
      name: body.name,
      plan: body.plan,
      owner: toNewUser(body.owner),
      idempotency: context.idempotency,
    });
    const data = { ...toAccount(required(answer.account)), owner: toUser(required(answer.owner)) };
    return { data, replayed: answer.replayed };
  },
);

export const getAccount = operation(
  { summary: 'Get one account', params: idParams, data: shownAccountSchema },
  async (input, services) => {
    const { params } = input;
    const answer = await services.identity.getAccount({ accountId: params.id });
    const account = toAccount(required(answer.account));
    const { id, overrides, status } = account;
    const isUsual = Number(overrides.discount) === 0;
    const off = status === 'suspended' && switchQuestion('account', account, 'suspended');
    const [switched_off, discountSet] = await Promise.all([
      readSwitchedOff(off, input, services),
      orUndefined(async () =>
        isUsual ? null : findDiscountSet({ accountId: id }, input, services),
      ),
    ]);
    return { data: { ...account, switched_off, discount_set: discountSet ?? null } };
  },
  {
    async readResource({ params }, { identity }) {
      const { account } = await identity.getAccount({ accountId: params.id });
      return toAccount(required(account));
    },
  },
);

export const updateAccount = operation(
  {
    summary: 'Rename, suspend or reactivate an account, or agree on terms of its own',
    params: idParams,
    body: z.strictObject({
      name: displayText.optional(),
      status: status.optional(),
      overrides: z.strictObject(overrideFields).partial().optional(),
    }),
    data: accountSchema,
  },
  async ({ principal, params, body }, { identity }) => {
    const { name, status: asked, overrides = {} } = body;
    const request = withoutUndefined({
      actor: toActor(principal),
      accountId: params.id,
      name,
      status: asked && toProtoName('ACCOUNT_STATUS', asked),
      ...fromOverrides(overrides),
    });
    const { account } = await identity.updateAccount(request);
    return { data: toAccount(required(account)) };
  },
);

/** All has to be said: to leave out the status must not let a suspended account in again. */
export const replaceAccount: Operation = {
  ...updateAccount,
  schema: {
    ...updateAccount.schema,
    summary: 'Set the name, the status and the own terms of an account',
    body: z.strictObject({
      name: displayText,
      status,
      overrides: z.strictObject({
        limits: overrideFields.limits.default({}),
        groups: overrideFields.groups,
        models: overrideFields.models.default([]),
        discount: overrideFields.discount.default('0'),
      }),
    }),
  },
};

export const eraseAccount = operation(
  {
    summary: 'Erase an account: its people, keys and settings go, its numbers stay',
    params: idParams,
    data: deletedSchema,
    idempotency: 'required',
    erases: true,
  },
  async ({ principal, params, context }, { identity }) => {
    const { account, replayed } = await identity.eraseAccount({
      actor: toActor(principal),
      accountId: params.id,
      idempotency: context.idempotency,
    });
    return { data: toDeleted(required(account).id), replayed };
  },
);

/** Throws NOT_FOUND for an account that does not exist, of which a list would be empty. */
export async function requireAccount(
  { identity }: Pick<Services, 'identity'>,
  accountId: string,
): Promise<void> {
  await identity.getAccount({ accountId });
}

/** Asks identity whether the account exists; one that was erased gets nothing any more. */
export async function requireAccountNotErased(
  { identity }: Pick<Services, 'identity'>,
  accountId: string,
): Promise<void> {
  const { account } = await identity.getAccount({ accountId });
  const { status: present } = toAccount(required(account));
  if (present !== 'erasing' && present !== 'erased') return;
  throw new AppError('CONFLICT', {
    publicMessage:
      'This account was erased. Only its numbers are left, and nothing brings it back.',
  });
}

/**
 * The account that is to own what a body describes, if it names one. What an erased account owned
 * would be kept for nobody, with its credentials.
 */
export async function requireOwnerNotErased(
  services: Pick<Services, 'identity'>,
  accountId: string | null | undefined,
): Promise<void> {
  if (typeof accountId !== 'string' || accountId === '') return;
  try {
    await requireAccountNotErased(services, accountId);
  } catch (error) {
    if (!isCode(error, 'NOT_FOUND')) throw error;
    throw invalidField('owner_account_id', 'must be the id of an account.');
  }
}

/**
 * Billing knows which plans there are; identity knows which plan an account has. On a plan that
 * does not exist every request of the account would be refused, and its vendors be blamed for it.
 */
async function requirePlan(billing: Services['billing'], plan: string): Promise<void> {
  const { plans } = await billing.listPlans({});
  if (plans.some(({ id }) => id === plan)) return;
  throw invalidField('plan', `must be one of ${plans.map(({ id }) => id).join(', ')}.`);
}

export const setAccountPlan = operation(
  {
    summary: 'Put an account on a plan',
    params: idParams,
    body: z.strictObject({ plan: planId }),
    rules: { plan: PLAN_RULE },
    data: accountSchema,
  },
  async ({ principal, params, body }, { billing, identity }) => {
    await requirePlan(billing, body.plan);
    const { account } = await identity.updateAccount({
      actor: toActor(principal),
      accountId: params.id,
      plan: body.plan,
    });
    return { data: toAccount(required(account)) };
  },
);

export function toAccount(account: identityV1.Account__Output): z.infer<typeof accountSchema> {
  return {
    id: account.id,
    name: account.name,
    plan: account.plan,
    status: fromProtoName(STATUSES, 'ACCOUNT_STATUS', account.status) ?? 'suspended',
    overrides: toOverrides(account),
    created_at: account.createdAt,
    updated_at: account.updatedAt,
  };
}

type Overrides = {
  readonly [Name in keyof typeof overrideFields]?:
    | z.output<(typeof overrideFields)[Name]>
    | undefined;
};

function fromOverrides({ limits, groups, models, discount }: Overrides) {
  return {
    limits: limits && fromLimits(limits),
    groups: groups && { values: groups },
    models: models && { values: models },
    discount: discount === undefined ? undefined : fromPercent(discount),
  };
}

function fromLimits(limits: NonNullable<Overrides['limits']>): identityV1.AccountLimits {
  return withoutUndefined(eachLimit((name) => toProtoLimit(limits[LIMIT_FIELDS[name]])));
}

/** "12.5" as 1250; no fraction is ever a floating-point number. */
function fromPercent(text: string): number {
  const [, sign = '', whole = '0', fraction = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text) ?? [];
  const hundredths = Number(whole) * 100 + Number(fraction.padEnd(2, '0'));
  return sign === '-' ? -hundredths : hundredths;
}

function toOverrides({ groups, terms }: identityV1.Account__Output) {
  const limits = terms?.limits;
  const fromWire = (limit: number | undefined) => (limit !== undefined && limit < 0 ? null : limit);
  return {
    limits: withoutUndefined(eachLimitField((name) => fromWire(limits?.[name]))),
    groups,
    models: terms?.models ?? [],
    discount: toPercent(BigInt(terms?.discount ?? 0)),
  };
}
