import { Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useAccountBalance, useAccountMembers, useEraseAccount } from '../../api/accounts';
import { makeIdempotencyKey } from '../../api/queries';
import type { Account } from '../../api/schemas';
import { DangerButton } from '../../components/danger';
import { Balance } from '../../components/values';
import { formatNumberOf } from '../../format/quantity';

/** Erasing cannot be undone: the name of the account has to be typed. */
export function EraseAccount({ account }: { readonly account: Account }) {
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
      <DangerButton
        label="Erase account"
        isFinal
        title={`Erase the account “${account.name}”`}
        verb="Erase account"
        typed={account.name}
        change={erase}
        isRepeatable
        onConfirm={(onSuccess) => erase.mutate(idempotencyKey, { onSuccess })}
      >
        {people} can no longer sign in, its keys are refused at once, and its balance of{' '}
        <Balance of={balance.data?.available} /> is lost. Nothing brings it back.
      </DangerButton>
    </Stack>
  );
}
