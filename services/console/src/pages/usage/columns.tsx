import type { Column } from '../../components/data-table';
import { Count, Money, Name } from '../../components/values';
import { hasLimited, type UsageSum } from './sum-usage';

/** Columns with the sum of a part of the usage, under the name of what it was split by. */
export function sumColumns(by: string, rows: readonly UsageSum[]): readonly Column<UsageSum>[] {
  const limited: Column<UsageSum> = {
    header: 'Refused by a limit',
    isNumeric: true,
    cell: (row) => <Count of={row.limited} />,
  };
  return [
    { header: by, width: 'name', cell: ({ name }) => <Name of={name} /> },
    { header: 'Requests', isNumeric: true, cell: ({ requests }) => <Count of={requests} /> },
    { header: 'Failed', isNumeric: true, cell: ({ failed }) => <Count of={failed} /> },
    ...(hasLimited(rows) ? [limited] : []),
    {
      header: 'Tokens in',
      isNumeric: true,
      cell: ({ promptTokens }) => <Count of={promptTokens} />,
    },
    {
      header: 'Tokens out',
      isNumeric: true,
      cell: ({ completionTokens }) => <Count of={completionTokens} />,
    },
    {
      header: 'Spend',
      isNumeric: true,
      cell: ({ spend }) => <Money amount={spend} form="listed" />,
    },
  ];
}
