import { type Column, numeric } from '../../components/data-table';
import { Count, Money, Name } from '../../components/values';
import { hasLimited, type UsageSum } from './sum-usage';

/** Columns with the sum of a part of the usage, under the name of what it was split by. */
export function sumColumns(by: string, rows: readonly UsageSum[]): readonly Column<UsageSum>[] {
  const limited: Column<UsageSum> = numeric('Refused by a limit', (row) => (
    <Count of={row.limited} />
  ));
  return [
    { header: by, width: 'name', cell: ({ name }) => <Name of={name} /> },
    numeric('Requests', ({ requests }) => <Count of={requests} />),
    numeric('Failed', ({ failed }) => <Count of={failed} />),
    ...(hasLimited(rows) ? [limited] : []),
    numeric('Tokens in', ({ promptTokens }) => <Count of={promptTokens} />),
    numeric('Tokens out', ({ completionTokens }) => <Count of={completionTokens} />),
    numeric('Spend', ({ spend }) => <Money amount={spend} form="listed" />),
  ];
}
