import { Text } from '@mantine/core';
import type { Balance } from '../../api/schemas';
import { Money } from '../../components/values';
import { toNano } from '../../format/money';
import type { Credits } from './describe-balance';

/** How the balance comes about, with every digit: a figure that is cut looks like a cent too few. */
export function BalanceSum(props: {
  readonly balance: Balance;
  /** Credits and adjustments apart, where they are known. */
  readonly credits?: Credits | undefined;
}) {
  const { balance, credits } = props;
  const { total_credits, total_usage, reserved, available } = balance;
  const sum = toNano(total_credits) - toNano(total_usage) - toNano(reserved);
  const isHeld = toNano(reserved) !== 0n;
  return (
    <Text size="sm" c="dimmed">
      {credits === undefined ? (
        <>
          <Money amount={total_credits} form="exact" /> in
        </>
      ) : (
        <CreditSum credits={credits} />
      )}{' '}
      − <Money amount={total_usage} form="exact" /> used
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

function CreditSum({ credits: { credited, adjusted } }: { readonly credits: Credits }) {
  const isTaken = adjusted.startsWith('-');
  return (
    <>
      <Money amount={credited} form="exact" /> credited
      {toNano(adjusted) !== 0n && (
        <>
          {isTaken ? ' − ' : ' + '}
          <Money amount={adjusted.replace(/^-/, '')} form="exact" /> adjusted
        </>
      )}
    </>
  );
}
