import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { KeyRound } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { CopyButton } from './copy';
import { useDrawerTitle, useHeldOpen } from './overlay';
import classes from './secret-once.module.css';

/** A secret that is shown this once, with what uses it. */
export function SecretOnce(props: {
  readonly secret: string;
  /** Such as `API key`. */
  readonly what: string;
  readonly onDone: () => void;
  readonly children?: ReactNode;
}) {
  const { secret, what, onDone } = props;
  const place = useRef<HTMLDivElement>(null);
  const [isCopied, setCopied] = useState(false);
  useHeldOpen(!isCopied, `Copy the ${what} first, or press Done.`);
  useDrawerTitle(`New ${what}`);
  // What was pressed is gone: the keyboard, and what is read aloud, go on here.
  useEffect(() => place.current?.focus(), []);
  return (
    <Stack ref={place} tabIndex={-1} className={classes.place} gap="lg">
      <Alert
        variant="outline"
        color="var(--toll-warn)"
        icon={<KeyRound size={18} />}
        title={`Copy the ${what} now`}
        classNames={{ message: classes.message }}
      >
        <Text c="dimmed">You will not see this again. Whoever has it can use it.</Text>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard */}
        <pre className={classes.secret} tabIndex={0}>
          {secret}
        </pre>
        <CopyButton text={secret} label={`Copy ${what}`} onCopied={() => setCopied(true)} />
      </Alert>
      {props.children}
      <Group justify="flex-end">
        <Button variant="default" onClick={onDone}>
          Done
        </Button>
      </Group>
    </Stack>
  );
}
