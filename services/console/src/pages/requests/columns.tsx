import { Code } from '@mantine/core';
import type { LedgerEntry } from '../../api/schemas';
import type { Column } from '../../components/data-table';
import { Status, toWords } from '../../components/status';
import { Count, Moment, Money } from '../../components/values';
import { toneOfEnd } from './end-reason';

/** A request as the ledger has it. */
export const requestColumns: readonly Column<LedgerEntry>[] = [
  { header: 'When', cell: ({ created_at }) => <Moment at={created_at} /> },
  { header: 'Model', cell: ({ model }) => <Code>{model}</Code> },
  {
    header: 'Ended',
    cell: ({ reason }) => (
      <Status tone={toneOfEnd(reason)} label={reason === null ? 'Unknown' : toWords(reason)} />
    ),
  },
  {
    header: 'Prompt tokens',
    isNumeric: true,
    isMinor: true,
    cell: ({ prompt_tokens }) => <Count of={prompt_tokens} />,
  },
  {
    header: 'Completion tokens',
    isNumeric: true,
    isMinor: true,
    cell: ({ completion_tokens }) => <Count of={completion_tokens} />,
  },
  { header: 'Cost', isNumeric: true, cell: ({ amount }) => <Money amount={amount} /> },
];
