import { ActionIcon, Button, Code, Tooltip } from '@mantine/core';
import { Check, Copy } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import classes from './copy.module.css';

const SHOWN_MS = 1_500;

/** Copies without a secure origin too, where browsers offer no clipboard to write to. */
async function writeToClipboard(text: string): Promise<void> {
  if (navigator.clipboard !== undefined) return navigator.clipboard.writeText(text);
  const area = document.createElement('textarea');
  area.value = text;
  document.body.append(area);
  area.select();
  document.execCommand('copy');
  area.remove();
}

function useCopied(
  text: string,
  onCopied?: () => void,
): { readonly copied: boolean; copy(): void } {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return undefined;
    const timer = setTimeout(() => setCopied(false), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [copied]);
  const tell = () => {
    setCopied(true);
    onCopied?.();
  };
  return { copied, copy: () => void writeToClipboard(text).then(tell) };
}

/** An icon that copies; its name says what. */
function CopyIcon(props: { readonly text: string; readonly what: string }) {
  const { copied, copy } = useCopied(props.text);
  const label = copied ? 'Copied' : `Copy ${props.what}`;
  return (
    <Tooltip label={label}>
      <ActionIcon
        variant="subtle"
        color="gray"
        size="sm"
        className={classes.icon}
        aria-label={label}
        onClick={copy}
      >
        {copied ? <Check size={14} /> : <Copy size={14} />}
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
  const { copied, copy } = useCopied(props.text, props.onCopied);
  return (
    <Button leftSection={copied ? <Check size={16} /> : <Copy size={16} />} onClick={copy}>
      {copied ? 'Copied' : props.label}
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
