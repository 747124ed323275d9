import { Button, Text } from '@mantine/core';
import { type ChatBody, useExplainRoute } from '../../api/chat';
import type { Candidate } from '../../api/schemas';
import { type Column, DataTable, numeric } from '../../components/data-table';
import { Failure } from '../../components/failure';
import { Section } from '../../components/page';
import { Status } from '../../components/status';
import { Count, ModelName, Money, Name, Sentence } from '../../components/values';
import { NOTHING } from '../../format/quantity';
import { describeFallback, mergeByModel } from './merge-route';
import type { Answer } from './use-chat';

const channelColumn: Column<Candidate> = {
  header: 'Channel',
  width: 'name',
  cell: ({ channel }) => <Name of={channel?.name ?? NOTHING} />,
};

const columns: readonly Column<Candidate>[] = [
  { header: 'Model', width: 'name', cell: ({ model }) => <ModelName of={model} /> },
  { header: 'Rank', isNumeric: true, isMinor: true, cell: ({ rank }) => <Count of={rank} /> },
  channelColumn,
  {
    header: 'Can serve',
    cell: ({ eligible }) =>
      eligible ? <Status tone="good" label="Yes" /> : <Status tone="idle" label="No" />,
  },
  numeric('About', ({ estimated_amount }) => <Money amount={estimated_amount} form="listed" />),
  {
    header: 'Because',
    width: 'sentence',
    cell: ({ reasons }) => <Sentence of={reasons.join('; ')} />,
    isLong: true,
  },
];

/** The candidates that would serve the request, before anything is asked. */
export function RouteExplanation(props: {
  readonly request: ChatBody;
  /** The answer above, where there is one. */
  readonly answer: Answer | undefined;
}) {
  const { request, answer } = props;
  const explain = useExplainRoute();
  return (
    <Section
      title="Where it would go"
      aside={
        <Button
          variant="default"
          size="xs"
          loading={explain.isPending}
          onClick={() => explain.mutate(request)}
        >
          Explain the route
        </Button>
      }
    >
      {explain.error !== null && <Failure error={explain.error} />}
      {explain.data === undefined && explain.error === null && (
        <Text c="dimmed">Which models and channels would be asked, in which order, and why.</Text>
      )}
      {explain.data !== undefined && (
        <>
          <Text c="dimmed" size="sm">
            {describeFallback({ ...explain.data, request: explain.variables }, answer)}
          </Text>
          <DataTable
            label="Candidates"
            rows={rowsFor(explain.data.candidates)}
            columns={columnsFor(explain.data.candidates)}
            keyOf={({ rank }) => String(rank)}
          />
        </>
      )}
    </Section>
  );
}

/** Channels are named to operators only. */
function areNamed(candidates: readonly Candidate[]): boolean {
  return candidates.some(({ channel }) => channel !== null);
}

function columnsFor(candidates: readonly Candidate[]): readonly Column<Candidate>[] {
  return areNamed(candidates) ? columns : columns.filter((column) => column !== channelColumn);
}

function rowsFor(candidates: readonly Candidate[]): readonly Candidate[] {
  return areNamed(candidates) ? candidates : mergeByModel(candidates);
}
