import type { FullPlan } from '../../api/schemas';
import { type Column, numeric } from '../../components/data-table';
import { Count, Limit, Moment, Money, Name } from '../../components/values';

const PRICE = 'Price a month';

/** What a plan allows and costs. */
export const planColumns: readonly Column<FullPlan>[] = [
  { header: 'Plan', width: 'name', cell: ({ name }) => <Name of={name} /> },
  numeric('Requests a minute', ({ requests_per_minute }) => <Limit of={requests_per_minute} />),
  numeric('Requests a day', ({ requests_per_day }) => <Limit of={requests_per_day} />),
  numeric('Requests at once', ({ concurrent_requests }) => <Limit of={concurrent_requests} />, {
    isMinor: true,
  }),
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
