import { Alert, Button, Group, Stack, Text, Textarea } from '@mantine/core';
import { useState } from 'react';
import { fetchCatalogueCsv, useImportModels } from '../../api/models';
import type { ModelImport } from '../../api/schemas';
import { type Column, DataTable } from '../../components/data-table';
import { Failure } from '../../components/failure';
import { DrawerSection } from '../../components/overlay';
import { CsvButton } from '../../components/save-text';
import { Status, type Tone } from '../../components/status';
import { formatNumberOf } from '../../format/quantity';

type Item = ModelImport['items'][number];

const CHANGES: Readonly<Record<Item['change'], { readonly tone: Tone; readonly label: string }>> = {
  create: { tone: 'good', label: 'New' },
  update: { tone: 'warn', label: 'Changed' },
  none: { tone: 'idle', label: 'As it is' },
};

const columns: readonly Column<Item>[] = [
  { header: 'Model', cell: ({ name }) => name },
  { header: 'Change', cell: ({ change }) => <Status {...CHANGES[change]} /> },
];

/** Prices in bulk: the table of the export is changed elsewhere, checked here, and then applied. */
export function ImportModels({ onDone }: { readonly onDone: () => void }) {
  const [csv, setCsv] = useState('');
  const check = useImportModels();
  const apply = useImportModels();
  const found = check.data;
  const changes = found === undefined ? 0 : found.created + found.updated;
  const checkAgain = () => {
    apply.reset();
    check.mutate({ csv, dry_run: true });
  };
  // What the check found is no longer so when a part of it may be made.
  const applyOnce = () =>
    apply.mutate({ csv, dry_run: false }, { onSuccess: onDone, onError: () => check.reset() });
  return (
    <Stack>
      <Text c="dimmed">
        Take the table of today, change it in a spreadsheet, and paste it here. Nothing is changed
        before you have seen what would be.
      </Text>
      <div>
        <CsvButton load={fetchCatalogueCsv} name="models" label="Download the table" />
      </div>
      <Textarea
        label="Table"
        description="CSV with the columns of the download; prices are for a million tokens."
        autosize
        minRows={6}
        maxRows={16}
        spellCheck={false}
        value={csv}
        onChange={(event) => {
          setCsv(event.currentTarget.value);
          check.reset();
        }}
      />
      {check.error !== null && <Failure error={check.error} />}
      {found !== undefined && (
        <DrawerSection title={`${formatNumberOf(changes, 'model')} would change`}>
          <DataTable
            label="What would change"
            rows={found.items}
            columns={columns}
            keyOf={({ name }) => name}
          />
        </DrawerSection>
      )}
      {apply.error !== null && <Failure error={apply.error} />}
      {found !== undefined && changes === 0 && (
        <Alert variant="outline" role="status">
          The catalogue says all of this already.
        </Alert>
      )}
      <Group justify="flex-end">
        <Button variant="default" onClick={onDone}>
          Cancel
        </Button>
        {changes === 0 ? (
          <Button loading={check.isPending} disabled={csv.trim() === ''} onClick={checkAgain}>
            Check
          </Button>
        ) : (
          <Button loading={apply.isPending} onClick={applyOnce}>
            Apply
          </Button>
        )}
      </Group>
    </Stack>
  );
}
