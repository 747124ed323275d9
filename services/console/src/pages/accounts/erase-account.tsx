import { Button, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { useAccountBalance, useAccountMembers, useEraseAccount } from '../../api/accounts';
import { makeIdempotencyKey } from '../../api/queries';
import type { Account } from '../../api/schemas';
import { Danger } from '../../components/danger';
import { Balance } from '../../components/values';
import { formatNumberOf } from '../../format/quantity';

/** Erasing cannot be undone: the name of the account has to be typed. */
export function EraseAccount({ account }: { readonly account: Account }) {
  const [isOpen, asking] = useDisclosure(false);
  const members = useAccountMembers(account.id);
  const balance = useAccountBalance(account.id);
  const erase = useEraseAccount(account.id);
  // The same key for every try, so that one that was not answered is no second erasure.
  const [idempotencyKey] = useState(makeIdempotencyKey);
  const people =
    members.data === undefined
      ? 'Its people'
      : formatNumberOf(members.data.length, 'person', 'people');
  return (
    <Stack gap="xs" align="flex-start">
      <Text c="dimmed" size="sm">
        Removes its people, keys, webhooks and channels for good. Its charges and credits stay as
        numbers without names. Export it first if somebody may ask for it.
      </Text>
      <Button variant="default" c="var(--toll-bad)" onClick={asking.open}>
        Erase account
      </Button>
      <Danger
        isOpen={isOpen}
        title={`Erase the account “${account.name}”`}
        verb="Erase account"
        typed={account.name}
        isBusy={erase.isPending}
        error={erase.error}
        isRepeatable
        onClose={asking.close}
        onConfirm={() => erase.mutate(idempotencyKey, { onSuccess: asking.close })}
      >
        {people} can no longer sign in, its keys are refused at once, and its balance of{' '}
        <Balance of={balance.data?.available} /> is lost. Nothing brings it back.
      </Danger>
    </Stack>
  );
}
