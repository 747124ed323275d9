import { Text } from '@mantine/core';
import { useBalance, useLedger, usePlans, useStatements, useThresholds } from '../../api/billing';
import type { Balance as AccountBalance } from '../../api/schemas';
import { DataTable } from '../../components/data-table';
import { type Filter, Filters } from '../../components/filters';
import { ListView } from '../../components/list-view';
import { Page, Panel, Section } from '../../components/page';
import { QueryState } from '../../components/query-state';
import { Stat, Stats } from '../../components/stat';
import { Balance, Money } from '../../components/values';
import { toNano } from '../../format/money';
import { useIsManager } from '../../session/session';
import { useUrlState } from '../../url/url-state';
import { BalanceSum } from './balance-sum';
import { ENTRIES_FIRST, isFree, ledgerColumns, offeredPlanColumns } from './columns';
import {
  type Credits,
  describeOutlook,
  RESERVED_NOTE,
  spendsNoMore,
  splitCredits,
} from './describe-balance';
import { RedeemCode } from './redeem-code';
import { Statements } from './statements';
import { Thresholds } from './thresholds';

const KINDS = ['charge', 'credit', 'adjustment', 'free'] as const;
const KIND: Filter = {
  name: 'kind',
  label: 'Kind',
  options: [
    { value: 'charge', label: 'Charges' },
    { value: 'credit', label: 'Credits' },
    { value: 'adjustment', label: 'Adjustments' },
    { value: 'free', label: 'Not charged' },
  ],
  isClosed: true,
};

/** The account's balance, and every movement that led there. */
export function BillingPage() {
  const balance = useBalance();
  const plans = usePlans();
  const isManager = useIsManager();
  const url = useUrlState();
  const kind = KINDS.find((one) => one === url.get('kind'));
  const ledger = useLedger(kind === 'free' ? 'charge' : kind);
  return (
    <Page title="Billing" sentence="The balance, and every movement that led to it.">
      <QueryState query={balance} lines={2}>
        {(data) => <BalanceParts balance={data} />}
      </QueryState>
      {isManager && (
        <Section title="Redeem a code">
          <Panel>
            <RedeemCode />
          </Panel>
        </Section>
      )}
      <Section title="Ledger" aside={<Filters filters={[KIND]} />}>
        {kind === undefined && (
          <Text c="dimmed" size="sm">
            Requests that cost nothing have entries too, which are left out here: their numbers are
            missing between the others.
          </Text>
        )}
        <ListView
          query={ledger}
          label="Ledger"
          columns={ledgerColumns}
          keyOf={({ seq }) => String(seq)}
          fits={(entry) => isFree(entry) === (kind === 'free')}
          first={kind === undefined ? ENTRIES_FIRST : undefined}
          hrefOf={({ request_id }) =>
            request_id === null ? undefined : `/requests?open=${request_id}`
          }
          empty={{
            title: kind === undefined ? 'Nothing moved yet' : 'No such entry',
            text: 'Credits that you are given and charges for requests stand here.',
          }}
        />
      </Section>
      <Statements />
      {isManager && <Thresholds />}
      <Section title="Plans">
        <Text c="dimmed" size="sm">
          The price of a plan is not taken from this balance: only requests are.
        </Text>
        <QueryState query={plans} lines={4}>
          {({ items, current }) => (
            <DataTable
              label="Plans"
              rows={items}
              columns={offeredPlanColumns(current)}
              keyOf={({ id }) => id}
            />
          )}
        </QueryState>
      </Section>
    </Page>
  );
}

/** Credits and adjustments apart, as far as the statements tell them. */
function BalanceParts({ balance }: { readonly balance: AccountBalance }) {
  const { data: months } = useStatements();
  const credits = months && splitCredits(balance, months);
  return (
    <>
      <BalanceFigures balance={balance} credits={credits} />
      <BalanceSum balance={balance} credits={credits} />
    </>
  );
}

function BalanceFigures(props: {
  readonly balance: AccountBalance;
  readonly credits: Credits | undefined;
}) {
  const { balance, credits } = props;
  const { data: thresholds } = useThresholds();
  return (
    <Stats>
      <Stat
        label="Available"
        value={<Balance of={balance.available} />}
        isBad={spendsNoMore(balance)}
        note={thresholds && describeOutlook(balance, thresholds.daily_spend)}
      />
      <Stat label="Reserved" value={<Money amount={balance.reserved} />} note={RESERVED_NOTE} />
      <Stat
        label="Credited"
        value={<Money amount={credits?.credited ?? balance.total_credits} />}
        note={
          credits === undefined || toNano(credits.adjusted) === 0n ? (
            'Since the account began'
          ) : (
            <>
              Adjusted by <Money amount={credits.adjusted} />
            </>
          )
        }
      />
      <Stat
        label="Used"
        value={<Money amount={balance.total_usage} />}
        note="Since the account began"
      />
    </Stats>
  );
}
