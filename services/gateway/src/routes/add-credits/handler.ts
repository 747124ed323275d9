import type { ControlPlane } from '../../clients/control-plane';
import { toLedgerItem } from '../resources/ledger';
import { fromAmount, owed } from '../resources/values';
import { type Operation, operation } from '../route';
import { addCreditsSchema } from './schema';

/** Billing opens an account's books at their first use, so identity is asked whether it exists. */
export function createAddCredits({ billing, identity }: ControlPlane): Operation {
  return operation(addCreditsSchema, async ({ params, body, context }) => {
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
    return { data: toLedgerItem(owed(entry)), replayed };
  });
}
