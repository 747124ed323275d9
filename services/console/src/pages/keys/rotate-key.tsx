import { Button, Group, Select, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { useRotateKey } from '../../api/keys';
import { Failure } from '../../components/failure';
import { Dialog, DrawerSection } from '../../components/overlay';
import { SecretOnce } from '../../components/secret-once';
import { firstCall } from '../../components/snippet-texts';
import { Snippets } from '../../components/snippets';

/** In seconds. */
const GRACE_PERIODS = [
  { value: '86400', label: 'For a day' },
  { value: '3600', label: 'For an hour' },
  { value: '604800', label: 'For a week' },
  { value: '0', label: 'Not at all' },
];
const GRACE_DEFAULT = '86400';

/** Gives the key a new secret; the old one may work on for a while. */
export function RotateKey(props: {
  readonly name: string;
  readonly isOpen: boolean;
  readonly rotate: ReturnType<typeof useRotateKey>;
  readonly onClose: () => void;
}) {
  const { rotate, onClose } = props;
  const [grace, setGrace] = useState(GRACE_DEFAULT);
  return (
    <Dialog isOpen={props.isOpen} onClose={onClose} title={`Rotate the API key “${props.name}”`}>
      <Stack>
        <Text>
          The key gets a new secret and keeps its settings. Programs with the old secret go on for
          as long as you say.
        </Text>
        <Select
          label="The old secret works on"
          data={GRACE_PERIODS}
          value={grace}
          allowDeselect={false}
          data-autofocus
          onChange={(value) => setGrace(value ?? GRACE_DEFAULT)}
        />
        {rotate.error !== null && (
          <Failure error={rotate.error} pressed={{ verb: 'Rotate key', isRepeatable: false }} />
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button
            loading={rotate.isPending}
            onClick={() => rotate.mutate(Number(grace), { onSuccess: onClose })}
          >
            Rotate key
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}

/** The new secret, once. */
export function RotatedKey(props: { readonly secret: string; readonly onDone: () => void }) {
  return (
    <SecretOnce secret={props.secret} what="API key" onDone={props.onDone}>
      <DrawerSection title="Use it">
        <Snippets call={firstCall(props.secret)} />
      </DrawerSection>
    </SecretOnce>
  );
}
