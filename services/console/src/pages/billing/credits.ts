import type { Balance, Statement } from '../../api/schemas';
import { addMoney } from '../../format/money';

/** What came in, told apart. */
export interface Credits {
  readonly credited: string;
  /** Below zero when more was taken back than given. */
  readonly adjusted: string;
}

/**
 * The balance tells the sum of both, every month of the statements its own. Undefined where the
 * months are not all that the balance is made of.
 */
export function splitCredits(
  { total_credits }: Pick<Balance, 'total_credits'>,
  months: readonly Pick<Statement, 'credits' | 'adjustments'>[],
): Credits | undefined {
  const credited = addMoney(months.map(({ credits }) => credits));
  const adjusted = addMoney(months.map(({ adjustments }) => adjustments));
  const isWhole = addMoney([credited, adjusted]) === addMoney([total_credits]);
  return isWhole ? { credited, adjusted } : undefined;
}
