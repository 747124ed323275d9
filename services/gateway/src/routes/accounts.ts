import { AppError } from '@tollgate/core';
import type { identityV1 } from '@tollgate/protos';
import { z } from 'zod';
import { toActor } from './actor';
import { groupName } from './channels';
import { operation } from './operation';
import { PASSWORD_RULE, personSchema, toPerson, toUser, userSchema } from './users';
import {
  displayText,
  idParams,
  isoTime,
  PAGE_RULES,
  pageOf,
  pageQuery,
  required,
  toPage,
} from './values';

const status = z.enum(['active', 'suspended']);

/** An account as operators see it. */
const accountSchema = z.object({
  id: z.string(),
  name: z.string(),
  plan: z.string(),
  status,
  overrides: z.object({
    groups: z.array(z.string()).meta({
      description: 'Channel groups that the account may name, besides the ones that are open.',
    }),
  }),
  created_at: isoTime,
  updated_at: isoTime,
});

const planId = z.string().regex(/^[a-z][a-z0-9_-]{0,31}$/, 'must be the id of a plan.');

const GRANTED_GROUPS_MAX = 100;

const STATUSES = {
  active: 'ACCOUNT_STATUS_ACTIVE',
  suspended: 'ACCOUNT_STATUS_SUSPENDED',
} as const;

export const listAccounts = operation(
  {
    summary: 'List all accounts',
    query: pageQuery,
    rules: PAGE_RULES,
    data: pageOf(accountSchema),
  },
  async ({ principal, query, context }, { identity }) => {
    const { limit, cursor = '' } = query;
    const actor = toActor(principal);
    const answer = await identity.listAccounts({ actor, limit, cursor }, context.rpc);
    return { data: toPage(answer.accounts.map(toAccount), answer.nextCursor) };
  },
);

export const createAccount = operation(
  {
    summary: 'Create an account and its owner',
    body: z.strictObject({
      name: displayText,
      plan: planId.default('free'),
      owner: personSchema,
    }),
    rules: { 'owner.password': PASSWORD_RULE },
    data: accountSchema.extend({ owner: userSchema }),
    status: 201,
    idempotency: 'optional',
  },
  async ({ principal, body, context }, { identity }) => {
    const answer = await identity.createAccount(
      {
        actor: toActor(principal),
        name: body.name,
        plan: body.plan,
        owner: toPerson(body.owner),
        idempotency: context.idempotency,
      },
      context.rpc,
    );
    const data = { ...toAccount(required(answer.account)), owner: toUser(required(answer.owner)) };
    return { data, replayed: answer.replayed };
  },
);

export const getAccount = operation(
  {
    summary: 'Get one account',
    params: idParams,
    data: accountSchema,
  },
  async ({ params, context }, { identity }) => {
    const { account } = await identity.getAccount({ accountId: params.id }, context.rpc);
    return { data: toAccount(required(account)) };
  },
);

export const updateAccount = operation(
  {
    summary: 'Rename, suspend or reactivate an account, or grant it channel groups',
    params: idParams,
    body: z.strictObject({
      name: displayText.optional(),
      status: status.optional(),
      overrides: z
        .strictObject({
          groups: z
            .array(groupName)
            .max(GRANTED_GROUPS_MAX)
            .optional()
            .meta({ description: 'Takes the place of the groups that were granted before.' }),
        })
        .optional(),
    }),
    data: accountSchema,
  },
  async ({ principal, params, body, context }, { identity }) => {
    const request: identityV1.UpdateAccountRequest = {
      actor: toActor(principal),
      accountId: params.id,
    };
    if (body.name !== undefined) request.name = body.name;
    const groups = body.overrides?.groups;
    if (groups !== undefined) request.groups = { values: groups };
    if (body.status !== undefined) request.status = STATUSES[body.status];
    const { account } = await identity.updateAccount(request, context.rpc);
    return { data: toAccount(required(account)) };
  },
);

/** All has to be said: to leave out the status must not let a suspended account in again. */
export const replaceAccount = operation(
  {
    summary: 'Set the name, the status and the granted channel groups of an account',
    params: idParams,
    body: z.strictObject({
      name: displayText,
      status,
      overrides: z.strictObject({ groups: z.array(groupName).max(GRANTED_GROUPS_MAX) }),
    }),
    data: accountSchema,
  },
  async ({ principal, params, body, context }, { identity }) => {
    const { account } = await identity.updateAccount(
      {
        ...{ actor: toActor(principal), accountId: params.id, name: body.name },
        status: STATUSES[body.status],
        groups: { values: body.overrides.groups },
      },
      context.rpc,
    );
    return { data: toAccount(required(account)) };
  },
);

/** Billing knows which plans there are; identity knows which plan an account has. */
export const setAccountPlan = operation(
  {
    summary: 'Put an account on a plan',
    params: idParams,
    body: z.strictObject({ plan: planId }),
    rules: { plan: 'must be one of GET /v1/billing/plans' },
    data: accountSchema,
  },
  async ({ principal, params, body, context }, { billing, identity }) => {
    const { plans } = await billing.listPlans({}, context.rpc);
    if (!plans.some((plan) => plan.id === body.plan)) {
      throw new AppError('VALIDATION_ERROR', {
        publicMessage: `plan: must be one of ${plans.map((plan) => plan.id).join(', ')}.`,
        param: 'plan',
      });
    }
    const { account } = await identity.updateAccount(
      { actor: toActor(principal), accountId: params.id, plan: body.plan },
      context.rpc,
    );
    return { data: toAccount(required(account)) };
  },
);

function toAccount(account: identityV1.Account__Output): z.infer<typeof accountSchema> {
  return {
    id: account.id,
    name: account.name,
    plan: account.plan,
    status: account.status === 'ACCOUNT_STATUS_ACTIVE' ? 'active' : 'suspended',
    overrides: { groups: account.groups },
    created_at: account.createdAt,
    updated_at: account.updatedAt,
  };
}
