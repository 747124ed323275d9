import { Text } from '@mantine/core';
import type { LedgerEntry, Plan } from '../../api/schemas';
import { type Column, numeric } from '../../components/data-table';
import { LIMIT_LABELS, LIMIT_NAMES } from '../../components/drafts';
import { Status } from '../../components/status';
import { Count, Limit, ModelName, Moment, Money, Name } from '../../components/values';
import { toNano } from '../../format/money';
import { formatName } from '../../format/names';
import { describeNote } from './describe-balance';

/** How many entries stand before what comes after the ledger. */
export const ENTRIES_FIRST = 10;

/** A charge takes away and has a minus, a credit has a plus, and nothing has no sign. */
function SignedMoney({ entry }: { readonly entry: LedgerEntry }) {
  if (toNano(entry.amount) === 0n) return <Money amount={entry.amount} />;
  const isTaken = entry.kind === 'charge' || entry.amount.startsWith('-');
  return (
    <Text span inherit c={isTaken ? 'var(--mantine-color-text)' : 'var(--toll-good)'}>
      {isTaken ? '−' : '+'}
      <Money amount={entry.amount.replace(/^-/, '')} form="exact" />
    </Text>
  );
}

/** A request that failed stands in the ledger too, and took nothing. */
export function isFree({ kind, amount }: Pick<LedgerEntry, 'kind' | 'amount'>): boolean {
  return kind === 'charge' && toNano(amount) === 0n;
}

/** A movement of the balance. */
export const ledgerColumns: readonly Column<LedgerEntry>[] = [
  { header: 'When', atHead: 'right', cell: ({ created_at }) => <Moment at={created_at} /> },
  { header: 'Entry', isMinor: true, cell: ({ seq }) => <Count of={seq} /> },
  {
    header: 'Kind',
    atHead: 'left',
    cell: (entry) => (isFree(entry) ? 'Not charged' : formatName(entry.kind)),
  },
  {
    header: 'For',
    width: 'name',
    atHead: 'left',
    cell: ({ by, ...entry }) =>
      entry.kind === 'charge' ? (
        <ModelName of={entry.model ?? ''} />
      ) : (
        <>
          <Name of={describeNote(entry)} />
          {by !== null && by !== undefined && (
            <Text component="div" size="xs" c="dimmed">
              By <Name of={by} />
            </Text>
          )}
        </>
      ),
  },
  numeric('Tokens in', ({ prompt_tokens }) => <Count of={prompt_tokens} />, { isMinor: true }),
  numeric('Tokens out', ({ completion_tokens }) => <Count of={completion_tokens} />, {
    isMinor: true,
  }),
  numeric('Amount', (entry) => <SignedMoney entry={entry} />, { atHead: 'right' }),
];

/** What each plan allows; the account's own is marked. */
export function offeredPlanColumns(current: string): readonly Column<Plan>[] {
  return [
    {
      header: 'Plan',
      cell: ({ id, name }) =>
        id === current ? <Status tone="good" label={`${name}, yours`} /> : name,
    },
    ...LIMIT_NAMES.map((name) =>
      numeric<Plan>(LIMIT_LABELS[name], (plan) => <Limit of={plan[name]} />),
    ),
    numeric(
      'Price',
      ({ price }) => (
        <>
          <Money amount={price.amount} /> a {price.period}
        </>
      ),
      { atHead: 'right' },
    ),
  ];
}
