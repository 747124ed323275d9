import { Alert, Group, Stack, Text } from '@mantine/core';
import { KeyRound } from 'lucide-react';
import type { ReactNode } from 'react';
import { CodeBlock, CopyButton } from './copy';

/** A secret that is shown this once, with what uses it. */
export function SecretOnce(props: {
  readonly secret: string;
  /** Such as `API key`. */
  readonly what: string;
  readonly children?: ReactNode;
}) {
  return (
    <Stack>
      <Alert
        variant="outline"
        color="yellow.8"
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
