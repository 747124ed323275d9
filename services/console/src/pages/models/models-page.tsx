import { Code } from '@mantine/core';
import { useModels } from '../../api/models';
import { DataTable } from '../../components/data-table';
import { Page, Section } from '../../components/page';
import { QueryState } from '../../components/query-state';
import { modelColumns, routingColumns } from './columns';

/** The models that may be asked for, and their prices. */
export function ModelsPage() {
  const models = useModels();
  return (
    <Page title="Models" sentence="What your keys may ask for, with prices for a million tokens.">
      <QueryState
        query={models}
        empty={{
          title: 'No models yet',
          text: 'Whoever runs this deployment adds models and the channels that serve them.',
        }}
      >
        {(all) => (
          <>
            <DataTable
              label="Models"
              rows={all.filter(({ routing }) => !routing)}
              columns={modelColumns}
              keyOf={({ id }) => id}
            />
            <Section title="Let the service choose">
              <p style={{ margin: 0 }}>
                Instead of a model, <Code>model</Code> may name one of these.
              </p>
              <DataTable
                label="Routing names"
                rows={all.filter(({ routing }) => routing)}
                columns={routingColumns}
                keyOf={({ id }) => id}
              />
            </Section>
          </>
        )}
      </QueryState>
    </Page>
  );
}
