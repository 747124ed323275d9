import type { ControlPlane } from '../../clients/control-plane';
import { toLedgerItem } from '../resources/ledger';
import { fromAmount, owed } from '../resources/values';
import { type Operation, operation } from '../route';
import { adjustBalanceSchema } from './schema';

/** As for credit, identity is asked whether the account exists. */
export function createAdjustBalance({ billing, identity }: ControlPlane): Operation {
  return operation(adjustBalanceSchema, async ({ params, body, context }) => {
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
    return { data: toLedgerItem(owed(entry)), replayed };
  });
}
