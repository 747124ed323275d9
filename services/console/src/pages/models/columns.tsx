import { Text } from '@mantine/core';
import type { Model } from '../../api/schemas';
import { Copyable } from '../../components/copy';
import { type Column, numeric } from '../../components/data-table';
import { Status } from '../../components/status';
import { Count, ModelName, UnitPrice } from '../../components/values';

const name: Column<Model> = {
  header: 'Model',
  width: 'name',
  cell: ({ id, description }) => (
    <>
      <Copyable of={<ModelName of={id} />} text={id} what="name" />
      <Text size="sm" c="dimmed" fw={400}>
        {description}
      </Text>
    </>
  ),
};

const availability: Column<Model> = {
  header: 'Served',
  isLong: true,
  cell: ({ available }) =>
    available ? <Status tone="good" label="Yes" /> : <Status tone="bad" label="No" />,
};

/** How much a model reads and answers; one of embeddings answers no tokens. */
export const sizeColumns: readonly Column<
  Pick<Model, 'context_length' | 'kind' | 'max_completion_tokens'>
>[] = [
  numeric('Context', ({ context_length }) => <Count of={context_length} />, { isMinor: true }),
  numeric(
    'Longest answer',
    ({ kind, max_completion_tokens }) => (
      <Count of={kind === 'embedding' ? null : max_completion_tokens} />
    ),
    { isMinor: true },
  ),
];

/** A model that may be asked for. */
export const modelColumns: readonly Column<Model>[] = [
  name,
  availability,
  ...sizeColumns,
  numeric('Prompt', ({ pricing }) => <UnitPrice of={pricing?.prompt} />),
  numeric('Completion', ({ kind, pricing }) => (
    <UnitPrice of={kind === 'embedding' ? null : pricing?.completion} />
  )),
  numeric('Cached prompt', ({ pricing }) => (
    <>
      <UnitPrice of={pricing?.cached_prompt} />
      {differs(pricing) && (
        <Text component="div" size="xs" c="dimmed">
          <UnitPrice of={pricing?.cache_write} /> to write
        </Text>
      )}
    </>
  )),
];

/** Most vendors take nothing more for what they put into their cache. */
function differs(pricing: Model['pricing']): boolean {
  return pricing?.cache_write !== undefined && pricing.cache_write !== pricing.prompt;
}

/** A name behind which the service chooses. */
export const routingColumns: readonly Column<Model>[] = [name, availability];
