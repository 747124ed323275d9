import type { z } from 'zod';
import { changeSchema, findDiscountSet } from '../audit-log/changes';
import { findSwitchedOff, switchedOffSchema } from '../audit-log/switched-off';
import { operation } from '../operation';
import { orUndefined } from '../partial-answer';
import { idParams, named, required } from '../values';
import { accountSchema, toAccount } from './accounts';

/** One account, and of what is unusual with it who made it so. */
const shownAccountSchema = named('ShownAccount', {
  ...accountSchema.shape,
  switched_off: switchedOffSchema.nullable().meta({
    description: 'Of a suspended account: who suspended it, and when, where the audit log tells.',
  }),
  discount_set: changeSchema.nullable().meta({
    description:
      'Who gave it its discount, and when; null without one, and where the log is silent.',
  }),
});
export type ShownAccount = z.output<typeof shownAccountSchema>;

export const getAccount = operation(
  { summary: 'Get one account', params: idParams, data: shownAccountSchema },
  async (input, services) => {
    const { context, params } = input;
    const answer = await services.identity.getAccount({ accountId: params.id }, context.rpc);
    const account = toAccount(required(answer.account));
    const { id, name, overrides, status } = account;
    const isUsual = Number(overrides.discount) === 0;
    const off = { type: 'account', id, name, change: 'suspended' } as const;
    const [found, discountSet] = await Promise.all([
      orUndefined(() => findSwitchedOff(status === 'suspended' ? [off] : [], input, services)),
      orUndefined(async () =>
        isUsual ? null : findDiscountSet({ accountId: id }, input, services),
      ),
    ]);
    const switched_off = found?.[0] ?? null;
    return { data: { ...account, switched_off, discount_set: discountSet ?? null } };
  },
);
