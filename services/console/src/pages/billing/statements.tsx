import { Anchor, Group } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { fetchStatement, useStatement, useStatements } from '../../api/billing';
import { useKeys } from '../../api/keys';
import type { Statement, StatementWithLines } from '../../api/schemas';
import { type Column, DataTable, numeric } from '../../components/data-table';
import { AsJson, Facts } from '../../components/facts';
import { Failure } from '../../components/failure';
import { DrawerSection, OpenedDrawer } from '../../components/overlay';
import { Section } from '../../components/page';
import { QueryState } from '../../components/query-state';
import { CsvButton, showPage } from '../../components/save-text';
import { Count, ModelName, Money, Name } from '../../components/values';
import { nameById } from '../../format/names';
import { formatMonth } from '../../format/time';
import { useOpenThing } from '../../url/url-state';

type Line = StatementWithLines['lines'][number];

/** An amount with every digit, so that a row adds up for whoever reads it. */
const statementColumns: readonly Column<Statement>[] = [
  { header: 'Month', cell: ({ month }) => formatMonth(month) },
  numeric('Opening balance', ({ opening_balance }) => (
    <Money amount={opening_balance} form="exact" />
  )),
  numeric('Credits', ({ credits }) => <Money amount={credits} form="exact" />),
  numeric('Adjustments', ({ adjustments }) => <Money amount={adjustments} form="exact" />),
  numeric('Requests', ({ requests }) => <Count of={requests} />),
  numeric('Charges', ({ charges }) => <Money amount={charges} form="exact" />),
  numeric('Closing balance', ({ closing_balance }) => (
    <Money amount={closing_balance} form="exact" />
  )),
];

/** Month by month what came in and what was charged; each opens its lines. */
export function Statements() {
  const statements = useStatements();
  const open = useOpenThing();
  return (
    <Section title="Statements">
      <QueryState
        query={statements}
        lines={3}
        empty={{ title: 'No month yet', text: 'The first statement begins with the first credit.' }}
      >
        {(rows) => (
          <DataTable
            label="Statements"
            rows={rows}
            columns={statementColumns}
            keyOf={({ month }) => month}
            hrefOf={({ month }) => open.hrefOf(month)}
          />
        )}
      </QueryState>
      <OpenedDrawer open={open} title={`Statement of ${formatMonth(open.id ?? '')}`}>
        {(month) => <StatementDetails month={month} />}
      </OpenedDrawer>
    </Section>
  );
}

function StatementDetails({ month }: { readonly month: string }) {
  const statement = useStatement(month);
  const keys = useKeys();
  const nameOf = (id: string) => nameById(keys.data, id);
  return (
    <QueryState query={statement}>
      {(data) => (
        <>
          <Copies month={month} />
          <Facts
            isNumeric
            facts={[
              [
                'Opening balance',
                <Money key="opening" amount={data.opening_balance} form="exact" />,
              ],
              ['Credits', <Money key="credits" amount={data.credits} form="exact" />],
              ['Adjustments', <Money key="adjustments" amount={data.adjustments} form="exact" />],
              ['Charges', <Money key="charges" amount={data.charges} form="exact" />],
              [
                'Closing balance',
                <Money key="closing" amount={data.closing_balance} form="exact" />,
              ],
              ['Requests', <Count key="requests" of={data.requests} />],
            ]}
          />
          {data.lines.length > 0 && (
            <DrawerSection title="Charges">
              <DataTable
                label="Charges by model and API key"
                rows={data.lines}
                columns={lineColumns(nameOf)}
                keyOf={({ model, key_id }) => `${key_id} ${model}`}
              />
            </DrawerSection>
          )}
          <AsJson value={data} />
        </>
      )}
    </QueryState>
  );
}

/** The statement outside the console: a table, and a page to print. */
function Copies({ month }: { readonly month: string }) {
  const name = `statement-${month}`;
  const print = useMutation({
    mutationFn: () => showPage(name, () => fetchStatement(month, 'html')),
  });
  return (
    <>
      <Group>
        <CsvButton load={() => fetchStatement(month, 'csv')} name={name} />
        <Anchor
          component="button"
          type="button"
          disabled={print.isPending}
          onClick={() => print.mutate()}
        >
          Page to print
        </Anchor>
      </Group>
      {print.error !== null && <Failure error={print.error} />}
    </>
  );
}

/** Lines in the order of the table and of the page to print. */
function lineColumns(nameOf: (keyId: string) => string): readonly Column<Line>[] {
  return [
    {
      header: 'Model',
      width: 'name',
      cell: ({ model }) => (model === null ? 'Other' : <ModelName of={model} />),
    },
    {
      header: 'API key',
      width: 'name',
      cell: ({ key_id }) => <Name of={key_id === null ? 'Other' : nameOf(key_id)} />,
    },
    numeric('Requests', ({ requests }) => <Count of={requests} />),
    numeric('Amount', ({ amount }) => <Money amount={amount} form="exact" />),
  ];
}
