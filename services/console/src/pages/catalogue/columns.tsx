import type { CatalogueModel } from '../../api/schemas';
import type { Column } from '../../components/data-table';
import { Status } from '../../components/status';
import { Count } from '../../components/values';
import classes from './catalogue.module.css';
import { PriceField } from './price-field';

const PRICE_SOURCES = { operator: 'Set', list: 'List price', default: 'Not set' } as const;

/**
 * A model of the catalogue; its prices are changed where they stand. That of a cache write stands in
 * its form alone.
 */
export const catalogueColumns: readonly Column<CatalogueModel>[] = [
  { header: 'Model', cell: ({ id }) => <span className={classes.name}>{id}</span> },
  {
    header: 'Served',
    cell: ({ available }) =>
      available ? <Status tone="good" label="Yes" /> : <Status tone="bad" label="No channel" />,
  },
  {
    header: 'Price',
    cell: ({ price_source: source }) =>
      source === 'default' ? (
        <Status tone="warn" label={PRICE_SOURCES[source]} />
      ) : (
        PRICE_SOURCES[source]
      ),
  },
  {
    header: 'Context',
    isNumeric: true,
    isMinor: true,
    cell: ({ context_length }) => <Count of={context_length} />,
  },
  {
    header: 'Longest answer',
    isNumeric: true,
    isMinor: true,
    cell: ({ max_completion_tokens }) => <Count of={max_completion_tokens} />,
  },
  {
    header: 'Prompt',
    isNumeric: true,
    cell: (model) => <PriceField model={model} price="prompt" />,
  },
  {
    header: 'Completion',
    isNumeric: true,
    cell: (model) => <PriceField model={model} price="completion" />,
  },
  {
    header: 'Cached prompt',
    isNumeric: true,
    cell: (model) => <PriceField model={model} price="cached_prompt" />,
  },
];
