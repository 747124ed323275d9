import { ActionIcon, Button, Code, Tooltip } from '@mantine/core';
import { Check, Copy } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import classes from './copy.module.css';

const SHOWN_MS = 1_500;

/** Copies without a secure origin too, where browsers offer no clipboard to write to. */
async function writeToClipboard(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // There is none, or it may not be written: the older way may work.
  }
  const area = document.createElement('textarea');
  area.value = text;
  document.body.append(area);
  area.select();
  const isCopied = document.execCommand('copy');
  area.remove();
  return isCopied;
}

function useCopy(text: string, onCopied?: () => void) {
  const [told, setTold] = useState<'Copied' | 'Not copied'>();
  useEffect(() => {
    if (told === undefined) return undefined;
    const timer = setTimeout(() => setTold(undefined), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [told]);
  const copy = async () => {
    const isCopied = await writeToClipboard(text);
    setTold(isCopied ? 'Copied' : 'Not copied');
    if (isCopied) onCopied?.();
  };
  const icon = (size: number) => (told === 'Copied' ? <Check size={size} /> : <Copy size={size} />);
  return { told, icon, copy: () => void copy() };
}

/** An icon that copies; its name says what. */
function CopyIcon(props: { readonly text: string; readonly what: string }) {
  const { told = `Copy ${props.what}`, icon, copy } = useCopy(props.text);
  return (
    <Tooltip label={told}>
      <ActionIcon
        variant="subtle"
        color="gray"
        size="sm"
        className={classes.icon}
        aria-label={told}
        onClick={copy}
      >
        {icon(14)}
      </ActionIcon>
    </Tooltip>
  );
}

/** A text with its copy icon beside it, however narrow the place is. */
export function Copyable(props: {
  readonly of: ReactNode;
  readonly text: string;
  readonly what: string;
}) {
  return (
    <span className={classes.identifier}>
      {props.of}
      <CopyIcon text={props.text} what={props.what} />
    </span>
  );
}

/** An id with its copy icon beside it, however narrow the place is. */
export function Identifier(props: { readonly id: string; readonly what?: string }) {
  return <Copyable of={<Code>{props.id}</Code>} text={props.id} what={props.what ?? 'id'} />;
}

/** A button that copies. */
export function CopyButton(props: {
  readonly text: string;
  readonly label: string;
  readonly onCopied?: () => void;
}) {
  const { told = props.label, icon, copy } = useCopy(props.text, props.onCopied);
  return (
    <Button leftSection={icon(16)} onClick={copy}>
      {told}
    </Button>
  );
}

/** Text to be taken elsewhere: code, a secret, JSON. */
export function CodeBlock(props: {
  readonly text: string;
  readonly what: string;
  readonly maxHeight?: number;
}) {
  return (
    <div className={classes.block}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard */}
      <pre className={classes.text} style={{ maxHeight: props.maxHeight }} tabIndex={0}>
        {props.text}
      </pre>
      <div className={classes.copy}>
        <CopyIcon text={props.text} what={props.what} />
      </div>
    </div>
  );
}
