import { Button, Menu } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { type ExportFormat, fetchAccountExport } from '../../api/accounts';
import { Failure } from '../../components/failure';
import { saveText } from '../../components/save-text';

/** Everything that is kept of an account, or its ledger alone, as a file. */
export function ExportAccount({ id }: { readonly id: string }) {
  const file = useMutation({
    mutationFn: async (format: ExportFormat) =>
      saveText(`account-${id}`, format, await fetchAccountExport(id, format)),
  });
  return (
    <>
      <Menu position="bottom-start">
        <Menu.Target>
          <Button variant="default" leftSection={<Download size={16} />} loading={file.isPending}>
            Export
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => file.mutate('jsonl')}>Everything, as JSON Lines</Menu.Item>
          <Menu.Item onClick={() => file.mutate('csv')}>The ledger, as CSV</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {file.error !== null && <Failure error={file.error} />}
    </>
  );
}
