import type { Model } from '../../api/schemas';
import type { Column } from '../../components/data-table';
import { Status } from '../../components/status';
import { Count } from '../../components/values';
import { PriceField } from './price-field';

/** A model of the catalogue; its prices are changed where they stand. */
export const catalogueColumns: readonly Column<Model>[] = [
  { header: 'Model', cell: ({ id }) => id },
  {
    header: 'Served',
    cell: ({ available }) =>
      available ? <Status tone="good" label="Yes" /> : <Status tone="bad" label="No channel" />,
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
