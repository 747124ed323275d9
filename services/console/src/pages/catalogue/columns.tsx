import { Text } from '@mantine/core';
import type { CatalogueModel } from '../../api/schemas';
import { type Column, numeric } from '../../components/data-table';
import { Status } from '../../components/status';
import { ModelName } from '../../components/values';
import { NOTHING } from '../../format/quantity';
import { sizeColumns } from '../models/columns';
import { PriceField } from './price-field';

/**
 * A model of the catalogue; its prices are changed where they stand. That of a cache write stands in
 * its form alone.
 */
export const catalogueColumns: readonly Column<CatalogueModel>[] = [
  {
    header: 'Model',
    width: 'name',
    cell: ({ id, price_source: source }) => (
      <>
        <ModelName of={id} />
        {source !== 'operator' && (
          <Text component="div" size="xs" c="dimmed" fw={400} mt={4}>
            {source === 'default' ? <Status tone="warn" label="Price not set" /> : 'List price'}
          </Text>
        )}
      </>
    ),
  },
  {
    header: 'Served',
    isLong: true,
    cell: ({ available }) =>
      available ? <Status tone="good" label="Yes" /> : <Status tone="bad" label="No channel" />,
  },
  ...sizeColumns,
  numeric('Prompt', (model) => <PriceField model={model} price="prompt" />),
  numeric('Completion', (model) =>
    model.kind === 'embedding' ? NOTHING : <PriceField model={model} price="completion" />,
  ),
  numeric('Cached prompt', (model) => <PriceField model={model} price="cached_prompt" />),
];
