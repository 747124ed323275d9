import type { FullPlan } from '../../api/schemas';
import { type Column, numeric } from '../../components/data-table';
import { LIMIT_LABELS, LIMIT_NAMES } from '../../components/drafts';
import { Count, Limit, Moment, Money, Name } from '../../components/values';

const PRICE = 'Price a month';

/** What a plan allows and costs. */
export const planColumns: readonly Column<FullPlan>[] = [
  { header: 'Plan', width: 'name', cell: ({ name }) => <Name of={name} /> },
  ...LIMIT_NAMES.map((name) =>
    numeric<FullPlan>(LIMIT_LABELS[name], (plan) => <Limit of={plan[name]} />, {
      isMinor: name === 'concurrent_requests',
    }),
  ),
  {
    header: 'Models',
    width: 'name',
    isMinor: true,
    cell: ({ models }) => <Name of={models.join(', ') || 'Every model'} />,
  },
  numeric(PRICE, ({ price }) => <Money amount={price.amount} />),
  numeric('Credit included', ({ included_credit }) => <Money amount={included_credit} />),
];

/** The earlier versions of a plan. */
export const versionColumns: readonly Column<FullPlan>[] = [
  { header: 'Version', cell: ({ version }) => <Count of={version} /> },
  { header: 'Since', cell: ({ changed_at }) => <Moment at={changed_at} /> },
  ...planColumns.filter(({ header, isNumeric }) => isNumeric === true && header !== PRICE),
];
