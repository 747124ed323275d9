import { Alert, Anchor, Group, Text } from '@mantine/core';
import { Link } from 'wouter';
import { useBalance } from '../../api/billing';
import { useUser } from '../../session/session';
import { type BalanceState, describeOutlook, stateOfBalance } from '../billing/describe-balance';

const TITLES: Readonly<Record<Exclude<BalanceState, 'held' | 'there'>, string>> = {
  'never credited': 'First credit, then a key, then a call',
  stopped: 'The balance is below what the account lets itself spend',
  'used up': 'The balance is used up',
};

/** Says above the figures that the balance lets nothing be asked for, and what helps. */
export function BalanceNotice() {
  const { data } = useBalance();
  const mayRedeem = useUser().role !== 'member';
  const state = data === undefined ? 'there' : stateOfBalance(data);
  if (data === undefined || state === 'there' || state === 'held') return null;
  const isNew = state === 'never credited';
  const who = mayRedeem ? 'whoever runs this service' : 'an owner or admin of your account';
  return (
    <Alert
      variant="outline"
      color={isNew ? 'gray' : 'var(--toll-bad)'}
      role="status"
      title={TITLES[state]}
    >
      <Text>
        {isNew
          ? `The account has no credit yet. Redeem a code, or ask ${who} for credit; then create an API key and make the call below.`
          : state === 'stopped'
            ? `${describeOutlook(data, '0')}. Lower that in Billing, or ask ${who} for credit.`
            : `Every request that costs is refused until there is credit. Redeem a code, or ask ${who} for credit.`}
      </Text>
      <Group gap="md" mt={8}>
        {mayRedeem && (
          <Anchor component={Link} href="/billing" underline="always">
            Redeem a code
          </Anchor>
        )}
        <Anchor
          component={Link}
          href={isNew ? '/keys?open=new' : '/requests?status=refused'}
          underline="always"
        >
          {isNew ? 'Create an API key' : 'What was refused'}
        </Anchor>
      </Group>
    </Alert>
  );
}
