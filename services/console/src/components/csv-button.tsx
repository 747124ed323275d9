import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { Failure } from './query-state';

/** A table of the API as a file, asked for when it is wanted. */
export function CsvButton(props: {
  readonly load: () => Promise<string>;
  /** Of the file, without its ending. */
  readonly name: string;
  readonly label?: string;
}) {
  const csv = useMutation({
    mutationFn: async () => saveText(`${props.name}.csv`, await props.load()),
  });
  return (
    <>
      {csv.error !== null && <Failure error={csv.error} />}
      <Button
        variant="default"
        leftSection={<Download size={16} />}
        loading={csv.isPending}
        onClick={() => csv.mutate()}
      >
        {props.label ?? 'Download CSV'}
      </Button>
    </>
  );
}

/** Gives the text to the person as a file. */
function saveText(name: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: 'text/csv' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  URL.revokeObjectURL(address);
}
