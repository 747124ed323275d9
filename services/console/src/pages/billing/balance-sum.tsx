import { Text } from '@mantine/core';
import type { Balance } from '../../api/schemas';
import { Money } from '../../components/values';
import { toNano } from '../../format/money';

/** How the balance comes about, with every digit: a figure that is cut looks like a cent too few. */
export function BalanceSum({ balance }: { readonly balance: Balance }) {
  const { total_credits, total_usage, reserved, available } = balance;
  const sum = toNano(total_credits) - toNano(total_usage) - toNano(reserved);
  const isHeld = toNano(reserved) !== 0n;
  return (
    <Text size="sm" c="dimmed">
      <Money amount={total_credits} form="exact" /> in − <Money amount={total_usage} form="exact" />{' '}
      used
      {isHeld && (
        <>
          {' '}
          − <Money amount={reserved} form="exact" /> reserved
        </>
      )}{' '}
      = <Money amount={available} form="exact" />
      {sum === toNano(available) ? ', adds up' : ', does not add up'}
    </Text>
  );
}
