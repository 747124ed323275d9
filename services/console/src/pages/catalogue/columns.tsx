import type { CatalogueModel } from '../../api/schemas';
import type { Column } from '../../components/data-table';
import { Status } from '../../components/status';
import { Count } from '../../components/values';
import classes from './catalogue.module.css';
import { PriceField } from './price-field';

/** Nobody sells at a default for long without noticing: it is marked. */
const PRICE_SOURCES = {
  operator: { tone: 'good', label: 'Set' },
  list: { tone: 'idle', label: 'List price' },
  default: { tone: 'warn', label: 'Not set' },
} as const;

/** A model of the catalogue; its prices are changed where they stand. */
export const catalogueColumns: readonly Column<CatalogueModel>[] = [
  { header: 'Model', cell: ({ id }) => <span className={classes.name}>{id}</span> },
  {
    header: 'Served',
    cell: ({ available }) =>
      available ? <Status tone="good" label="Yes" /> : <Status tone="bad" label="No channel" />,
  },
  {
    header: 'Price',
    cell: ({ price_source }) => <Status {...PRICE_SOURCES[price_source]} />,
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
  {
    header: 'Cache write',
    isNumeric: true,
    isMinor: true,
    cell: (model) => <PriceField model={model} price="cache_write" />,
  },
];
