import { Button, Group, Popover, Stack, Text, VisuallyHidden } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useChangeModel } from '../../api/models';
import type { Model } from '../../api/schemas';
import { isAmount } from '../../components/checks';
import { AmountInput } from '../../components/form';
import { UnitPrice } from '../../components/values';
import { toNano } from '../../format/money';
import classes from './catalogue.module.css';
import { followersOf, type PriceName, toModelChanges, toModelDraft } from './model-draft';

const NAMES: Readonly<Record<PriceName, string>> = {
  prompt: 'prompt price',
  completion: 'completion price',
  cached_prompt: 'cached prompt price',
  cache_write: 'cache write price',
};

/** A price that opens a field beside it when it is pressed; Enter saves, Escape leaves it. */
export function PriceField(props: { readonly model: Model; readonly price: PriceName }) {
  const { model, price } = props;
  const [isOpen, setOpen] = useState(false);
  const amount = model.pricing?.[price];
  const close = () => setOpen(false);
  return (
    <Popover
      opened={isOpen}
      onChange={setOpen}
      position="bottom-end"
      shadow="md"
      trapFocus
      returnFocus
    >
      <Popover.Target>
        <Button
          variant="subtle"
          color="gray"
          size="compact-sm"
          classNames={{ root: classes.price }}
          onClick={() => setOpen(!isOpen)}
        >
          <VisuallyHidden>
            Change the {NAMES[price]} of {model.id},{' '}
          </VisuallyHidden>
          <UnitPrice of={amount} />
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        {isOpen && <NewPrice model={model} price={price} onDone={close} />}
      </Popover.Dropdown>
    </Popover>
  );
}

/** Asks before a price changes, because it holds at once. */
function NewPrice(props: {
  readonly model: Model;
  readonly price: PriceName;
  readonly onDone: () => void;
}) {
  const { model, price, onDone } = props;
  const amount = model.pricing?.[price] ?? '';
  const [text, setText] = useState(amount);
  const change = useChangeModel(model.id);
  const draft = toModelDraft(model);
  const fault = isAmount(text);
  const isSame = fault === null && amount !== '' && toNano(text.trim()) === toNano(amount);
  const followers = followersOf(draft, price).map((name) => NAMES[name]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    // A form in a page that is drawn elsewhere is still inside the row that opens.
    event.stopPropagation();
    if (fault !== null) return;
    if (isSame) {
      onDone();
      return;
    }
    const pricing = { ...draft.pricing, [price]: text };
    change.mutate(toModelChanges({ ...draft, pricing }, model), { onSuccess: onDone });
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="xs" w={240}>
        <AmountInput
          size="xs"
          label={`New ${NAMES[price]} of ${model.id}`}
          description="For a million tokens"
          data-autofocus
          value={text}
          error={fault ?? change.error?.message}
          readOnly={change.isPending}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        {fault === null && !isSame && (
          <Text size="xs">
            <UnitPrice of={amount} /> → <UnitPrice of={text.trim()} /> for requests from now on
            {followers.length > 0 && `, also the ${followers.join(' and the ')}`}
          </Text>
        )}
        <Group gap="xs" justify="flex-end">
          <Button variant="default" size="compact-sm" onClick={onDone}>
            Cancel
          </Button>
          <Button
            type="submit"
            size="compact-sm"
            loading={change.isPending}
            data-disabled={isSame}
            aria-disabled={isSame}
          >
            Save
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
