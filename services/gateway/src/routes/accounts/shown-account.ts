import type { z } from 'zod';
import { operation } from '../operation';
import { createPartialAnswer } from '../partial-answer';
import {
  changeSchema,
  findDiscountSet,
  findSwitchedOff,
  switchedOffSchema,
} from '../requests/switched-off';
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
    const { ask } = createPartialAnswer();
    const isUsual = Number(overrides.discount) === 0;
    const off = { type: 'account', id, name, change: 'suspended' } as const;
    const [found, discountSet] = await Promise.all([
      ask('audit log', () => findSwitchedOff(status === 'suspended' ? [off] : [], input, services)),
      ask('audit log', async () =>
        isUsual ? null : findDiscountSet({ accountId: id }, input, services),
      ),
    ]);
    const switched_off = found?.[0] ?? null;
    return { data: { ...account, switched_off, discount_set: discountSet ?? null } };
  },
);
