import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { Failure } from './failure';
import { saveText } from './save-text';

/** A table of the API as a file, asked for when it is wanted. */
export function CsvButton(props: {
  readonly load: () => Promise<string>;
  /** Name of the file, without its ending. */
  readonly name: string;
  readonly label?: string;
}) {
  const csv = useMutation({
    mutationFn: async () => saveText(props.name, 'csv', await props.load()),
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
