import { Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { type MoneyChange, useAdjustBalance, useGrantCredit } from '../../api/accounts';
import { makeIdempotencyKey } from '../../api/client';
import type { Account } from '../../api/schemas';
import { isAmountAboveZero, isSignedAmount } from '../../components/checks';
import { AmountInput, Form } from '../../components/form';
import { Dialog } from '../../components/overlay';

const KINDS = {
  credit: {
    title: 'Grant credit to',
    verb: 'Grant credit',
    text: 'It can be spent at once, and stands in the ledger.',
    amount: 'Such as 10.00.',
    field: 'note',
    label: 'Note',
    description: 'Why, such as the number of an invoice; the customer sees it.',
  },
  adjustment: {
    title: 'Adjust the balance of',
    verb: 'Adjust balance',
    text: 'Corrects what was credited or charged by mistake.',
    amount: 'Such as 1.50; with a minus it takes away.',
    field: 'reason',
    label: 'Reason',
    description: 'Stands in the ledger; the customer sees it.',
  },
} as const;

/** Money for an account, or back from it. */
export function MoneyForm(props: {
  readonly kind: keyof typeof KINDS;
  readonly account: Account;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}) {
  const { kind, account, isOpen, onClose } = props;
  const { title, text } = KINDS[kind];
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={`${title} ${account.name}`}>
      <Stack>
        <Text c="dimmed">{text}</Text>
        {isOpen && <Fields kind={kind} accountId={account.id} onDone={onClose} />}
      </Stack>
    </Dialog>
  );
}

function Fields(props: {
  readonly kind: keyof typeof KINDS;
  readonly accountId: string;
  readonly onDone: () => void;
}) {
  const { kind, accountId, onDone } = props;
  const { verb, amount, field, label, description } = KINDS[kind];
  const grant = useGrantCredit(accountId);
  const adjust = useAdjustBalance(accountId);
  const change = kind === 'credit' ? grant : adjust;
  // The same key for every try of this form, so that no second press gives twice.
  const [idempotencyKey] = useState(makeIdempotencyKey);
  const form = useForm({
    initialValues: { amount: '', [field]: '' } as Record<string, string>,
    validate: {
      amount: kind === 'credit' ? isAmountAboveZero : isSignedAmount,
      [field]: (value) => (value.trim() === '' ? 'Say why' : null),
    },
  });
  const toChange = (draft: Record<string, string>): MoneyChange => ({
    amount: (draft.amount ?? '').trim(),
    why: (draft[field] ?? '').trim(),
    idempotencyKey,
  });
  return (
    <Form
      form={form}
      verb={verb}
      change={change}
      isRepeatable
      onCancel={onDone}
      onSubmit={(draft) => change.mutate(toChange(draft), { onSuccess: onDone })}
    >
      <AmountInput
        label="Amount"
        description={amount}
        data-autofocus
        {...form.getInputProps('amount')}
      />
      <TextInput label={label} description={description} {...form.getInputProps(field)} />
    </Form>
  );
}
