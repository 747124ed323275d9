import type { billingV1 } from '@tollgate/protos';
import { fromProtoAdjustBalance } from './from-proto';

const ADJUSTMENT: billingV1.AdjustBalanceRequest__Output = {
  accountId: 'acc_1',
  amount: '-5',
  reason: 'charged twice',
  idempotencyKey: 'once',
  actorId: '',
};

it('an adjustment may go either way', () => {
  expect(fromProtoAdjustBalance(ADJUSTMENT)).toMatchObject({ amount: -5n });
  expect(fromProtoAdjustBalance({ ...ADJUSTMENT, amount: '5' })).toMatchObject({ amount: 5n });
});

it.each(['0', '', '1.5', 'many', '9223372036854775808'])(
  'an adjustment by "%s" is refused, naming the amount',
  async (amount) => {
    const adjusted = new Promise((resolve) => {
      resolve(fromProtoAdjustBalance({ ...ADJUSTMENT, amount }));
    });
    await expect(adjusted).rejects.toMatchObject({ code: 'VALIDATION_ERROR', param: 'amount' });
  },
);
