import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { styleNonce } from '../theme/theme';
import { Failure } from './failure';

const TYPES = {
  csv: 'text/csv',
  html: 'text/html',
  jsonl: 'application/jsonl',
} as const;

/** Gives the text to the person as a file; its ending says what it is. */
export function saveText(name: string, ending: keyof typeof TYPES, text: string): void {
  const address = addressOf(ending, text);
  const link = document.createElement('a');
  link.href = address;
  link.download = `${name}.${ending}`;
  link.click();
  URL.revokeObjectURL(address);
}

/**
 * Shows a page of the API in a tab of its own, where it can be printed: a plain link would ask for it
 * without the session, which is in the memory of this page. The tab is opened before anything is
 * asked for, while the press still allows it; a browser that opens none gets a file.
 */
export async function showPage(name: string, load: () => Promise<string>): Promise<void> {
  const tab = window.open('', '_blank');
  try {
    const text = await load();
    if (tab === null) saveText(name, 'html', text);
    // Kept as long as this page, so that the tab can be loaded again.
    else tab.location.href = addressOf('html', withNonce(text));
  } catch (error) {
    tab?.close();
    throw error;
  }
}

/** A page that was made here has the policy of this page, which wants a nonce of its styles. */
function withNonce(html: string): string {
  return html.replace('<style>', `<style nonce="${styleNonce()}">`);
}

function addressOf(ending: keyof typeof TYPES, text: string): string {
  return URL.createObjectURL(new Blob([text], { type: `${TYPES[ending]};charset=utf-8` }));
}

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
