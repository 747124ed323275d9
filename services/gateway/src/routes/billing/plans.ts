import {
  eachLimit,
  eachLimitField,
  LIMIT_FIELDS,
  LIMIT_NAMES,
  type LimitName,
  PLAN_BOUNDS,
  PLAN_ID,
  withoutUndefined,
} from '@tollgate/core';
import type { billingV1 } from '@tollgate/protos';
import { z } from 'zod';
import { limitsOf } from '../../auth/principal';
import type { RequestLimits } from '../../limits/limiter';
import { amount, amountText, fromAmount, toAmount } from '../../money/amounts';
import { required } from '../asking/required';
import { operation } from '../operation';
import { answerOf } from '../payloads/answer-of';
import { toIdempotency } from '../payloads/idempotency';
import { displayText, groupName, idParams, isoTime, named } from '../payloads/values';
import { fromThresholds, thresholdFields } from './thresholds';

export const planId = z.string().regex(PLAN_ID, 'must be the id of a plan.');

/** A limit in a body. */
export const accountLimit = z
  .int()
  .min(0)
  .max(PLAN_BOUNDS.limitMax)
  .nullable()
  .describe('null is unlimited.');
export const modelNames = z
  .array(z.string().min(1).max(PLAN_BOUNDS.listEntryLengthMax))
  .max(PLAN_BOUNDS.listLengthMax);

const KEEP_ANSWERS =
  'Whether answers are kept for a day where a completion asks for it by Idempotency-Key or ' +
  'X-Tollgate-On-Disconnect; it is refused otherwise.';

/** The limits of a plan or an account as they are answered. */
export const limitsSchema = z.object(
  eachLimitField(() => z.int().nullable().describe('null is unlimited.')),
);

const planSchema = named('Plan', {
  id: z.string(),
  name: z.string(),
  ...limitsSchema.shape,
  price: z.object({ amount, currency: z.string(), period: z.string() }),
  included_credit: amount,
});

const THRESHOLDS =
  'At which balances accounts are told that set no thresholds of their own; null means at a tenth ' +
  'of the last credit.';

const fullPlanSchema = named('FullPlan', {
  ...planSchema.shape,
  groups: z
    .array(z.string())
    .describe('Channel groups that its accounts may name, besides the open ones and their own.'),
  models: z.array(z.string()).describe('Empty means every model.'),
  keep_answers: z.boolean().describe(KEEP_ANSWERS),
  thresholds: z
    .object({ amounts: z.array(amount), days: z.array(z.int()) })
    .nullable()
    .describe(THRESHOLDS),
  version: z.int().describe('From 1, one more with every change.'),
  changed_at: isoTime,
});

export const listPlans = operation(
  {
    summary: 'List the plans and their limits',
    data: z.object({
      items: z.array(planSchema),
      current: z.string(),
      limits: limitsSchema.describe(
        'What holds for the account: its own limits, and for the rest those of its plan.',
      ),
    }),
  },
  async ({ principal }, { billing }) => {
    const { plans } = await billing.listPlans({});
    const { plan: current, terms } = principal;
    const plan = plans.find(({ id }) => id === current);
    const limits = toLimits(limitsOf(terms, plan ?? {}));
    return { data: { items: plans.map(toPlan), current, limits } };
  },
);

export const listAllPlans = operation(
  {
    summary: 'List the plans with all that they allow',
    data: z.object({ items: z.array(fullPlanSchema) }),
  },
  async (_input, { billing }) => {
    const { plans } = await billing.listPlans({});
    return { data: { items: plans.map(toFullPlan) } };
  },
);

export const getPlan = operation(
  {
    summary: 'Get one plan, and what it was before',
    params: idParams,
    data: fullPlanSchema.extend({
      versions: z.array(fullPlanSchema).describe('Earlier ones, newest first.'),
    }),
  },
  async ({ params }, { billing }) => {
    const { plan, versions } = await billing.getPlan({ id: params.id });
    return { data: { ...toFullPlan(required(plan)), versions: versions.map(toFullPlan) } };
  },
  {
    async readResource({ params }, { billing }) {
      const { plan } = await billing.getPlan({ id: params.id });
      return toFullPlan(required(plan));
    },
  },
);

/** A limit of all accounts of a plan, so never 0: an account is stopped by its own status. */
const planLimit = z
  .int()
  .min(1, 'must be at least 1, or null. Nothing of its accounts would pass: suspend them instead.')
  .max(PLAN_BOUNDS.limitMax)
  .nullable()
  .describe('null is unlimited.');

const planFields = {
  name: displayText,
  ...eachLimitField(() => planLimit),
  price: amountText.describe('For a month; shown, not charged.'),
  included_credit: amountText.describe('Shown, not granted.'),
  groups: z.array(groupName).max(PLAN_BOUNDS.listLengthMax),
  models: modelNames.describe('Empty means every model.'),
  keep_answers: z.boolean().describe(KEEP_ANSWERS),
  thresholds: z
    .strictObject({
      amounts: thresholdFields.amounts.default([]),
      days: thresholdFields.days.default([]),
    })
    .nullable()
    .describe(THRESHOLDS),
};

/** A plan that is sent whole: what may be left out has a default. */
const wholePlanFields = {
  ...planFields,
  price: planFields.price.default('0'),
  included_credit: planFields.included_credit.default('0'),
  groups: planFields.groups.default([]),
  models: planFields.models.default([]),
  keep_answers: planFields.keep_answers.default(true),
  thresholds: planFields.thresholds.default(null),
};

export const createPlan = operation(
  {
    summary: 'Make a plan',
    body: z.strictObject({ ...wholePlanFields, id: planId }),
    data: fullPlanSchema,
    status: 201,
    idempotency: 'optional',
  },
  async ({ principal, body, context }, { billing }) => {
    const plan = withoutNulls({ ...fromFields(body), id: body.id, version: 0 });
    const asked = { plan, scope: principal.accountId, ...toIdempotency(context.idempotency) };
    const made = await billing.putPlan(asked);
    return { data: toFullPlan(required(made.plan)), replayed: made.replayed };
  },
);

export const updatePlan = operation(
  {
    summary: 'Change a plan; every gateway follows within seconds',
    params: idParams,
    body: z.strictObject(planFields).partial(),
    data: fullPlanSchema,
  },
  async ({ params, body }, { billing }) => {
    const { plan } = await billing.getPlan({ id: params.id });
    const { id, version, ...present } = required(plan);
    const changed = { ...present, ...fromFields(body), id, version };
    const put = await billing.putPlan({ plan: withoutNulls(changed) });
    return { data: toFullPlan(required(put.plan)) };
  },
);

export const replacePlan = operation(
  {
    summary: 'Replace a plan; members that are left out have their defaults',
    params: idParams,
    body: z.strictObject(wholePlanFields),
    data: fullPlanSchema,
  },
  async ({ params, body }, { billing }) => {
    const { plan } = await billing.getPlan({ id: params.id });
    const { id, version } = required(plan);
    const replaced = withoutNulls({ ...fromFields(body), id, version });
    const put = await billing.putPlan({ plan: replaced });
    return { data: toFullPlan(required(put.plan)) };
  },
);

type Fields = {
  readonly [Name in keyof typeof planFields]?: z.output<(typeof planFields)[Name]> | undefined;
};

/** The fields that are given; a limit that is unlimited is null. */
function fromFields({ name, price, groups, models, thresholds, ...fields }: Fields) {
  const credit = fields.included_credit;
  return withoutUndefined({
    name,
    ...eachLimit((limit) => fields[LIMIT_FIELDS[limit]]),
    price: price === undefined ? undefined : fromAmount(price).toString(),
    includedCredit: credit === undefined ? undefined : fromAmount(credit).toString(),
    groups,
    models,
    thresholds: thresholds && fromThresholds(thresholds),
    keepAnswers: fields.keep_answers,
  });
}

/** On the wire a limit that is absent is unlimited. */
function withoutNulls<Plan extends Partial<Record<LimitName, number | null | undefined>>>(
  plan: Plan,
): Plan & billingV1.Plan {
  const limited = { ...plan };
  for (const name of LIMIT_NAMES) if (limited[name] === null) delete limited[name];
  return limited as Plan & billingV1.Plan;
}

function toPlan(plan: billingV1.Plan__Output): z.infer<typeof planSchema> {
  return answerOf(planSchema, plan, {
    price: { amount: toAmount(plan.price), currency: plan.currency, period: plan.period },
  });
}

function toFullPlan(plan: billingV1.Plan__Output): z.infer<typeof fullPlanSchema> {
  const { groups, models, version, changedAt } = plan;
  const thresholds =
    plan.thresholds === null
      ? null
      : { amounts: plan.thresholds.amounts.map(toAmount), days: plan.thresholds.days };
  const keep_answers = plan.keepAnswers ?? true;
  return {
    ...toPlan(plan),
    groups,
    models,
    keep_answers,
    thresholds,
    version,
    changed_at: changedAt,
  };
}

export function toLimits(limits: RequestLimits): z.output<typeof limitsSchema> {
  return eachLimitField((name) => limits[name] ?? null);
}
