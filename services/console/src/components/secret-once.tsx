import { Alert, Group, Stack, Text } from '@mantine/core';
import { KeyRound } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { CodeBlock, CopyButton } from './copy';
import classes from './secret-once.module.css';

/** A secret that is shown this once, with what uses it. */
export function SecretOnce(props: {
  readonly secret: string;
  /** Such as `API key`. */
  readonly what: string;
  readonly children?: ReactNode;
}) {
  const place = useRef<HTMLDivElement>(null);
  // What was pressed is gone: the keyboard, and what is read aloud, go on here.
  useEffect(() => place.current?.focus(), []);
  return (
    <Stack ref={place} tabIndex={-1} className={classes.place}>
      <Alert
        variant="outline"
        color="var(--toll-warn)"
        icon={<KeyRound size={18} />}
        title={`Copy the ${props.what} now`}
      >
        <Text c="dimmed">You will not see this again. Whoever has it can use it.</Text>
      </Alert>
      <CodeBlock text={props.secret} what={props.what} />
      <Group>
        <CopyButton text={props.secret} label={`Copy ${props.what}`} />
      </Group>
      {props.children}
    </Stack>
  );
}
