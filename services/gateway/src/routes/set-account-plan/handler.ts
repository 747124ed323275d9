import { AppError } from '@tollgate/core';
import type { ControlPlane } from '../../clients/control-plane';
import { toAccount } from '../resources/account';
import { toActor } from '../resources/actor';
import { owed } from '../resources/values';
import { type Operation, operation } from '../route';
import { setAccountPlanSchema } from './schema';

/** Billing knows which plans there are; identity knows which plan an account has. */
export function createSetAccountPlan({ billing, identity }: ControlPlane): Operation {
  return operation(setAccountPlanSchema, async ({ principal, params, body, context }) => {
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
    return { data: toAccount(owed(account)) };
  });
}
