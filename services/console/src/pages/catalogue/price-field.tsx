import { Button, TextInput, VisuallyHidden } from '@mantine/core';
import { type KeyboardEvent, useState } from 'react';
import { useReplaceModel } from '../../api/models';
import type { Model } from '../../api/schemas';
import { isAmount } from '../../components/checks';
import { UnitPrice } from '../../components/values';
import classes from './catalogue.module.css';
import { toModelBody, toModelDraft } from './model-draft';

type Price = 'prompt' | 'completion' | 'cached_prompt';

const NAMES: Readonly<Record<Price, string>> = {
  prompt: 'prompt price',
  completion: 'completion price',
  cached_prompt: 'cached prompt price',
};

/** A price that becomes a field when it is pressed; Enter saves, Escape leaves it. */
export function PriceField(props: { readonly model: Model; readonly price: Price }) {
  const { model, price } = props;
  const [text, setText] = useState<string>();
  // Whoever edited it by keyboard goes on from there.
  const [wasEdited, setWasEdited] = useState(false);
  const replace = useReplaceModel(model.id);
  const amount = model.pricing?.[price];
  const label = `${NAMES[price]} of ${model.id}`;
  if (text === undefined) {
    return (
      <Button
        variant="subtle"
        color="gray"
        size="compact-sm"
        classNames={{ root: classes.price }}
        autoFocus={wasEdited}
        onClick={() => {
          setText(amount ?? '');
          setWasEdited(true);
        }}
      >
        <VisuallyHidden>Change the {label}, </VisuallyHidden>
        <UnitPrice of={amount} />
      </Button>
    );
  }
  const wrong = isAmount(text) ?? replace.error?.message ?? null;
  const save = () => {
    if (isAmount(text) !== null) return;
    const draft = toModelDraft(model);
    const body = toModelBody({ ...draft, pricing: { ...draft.pricing, [price]: text } });
    replace.mutate(body, { onSuccess: () => setText(undefined) });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter') save();
    if (event.key === 'Escape') setText(undefined);
  };
  return (
    <div className={classes.editing} data-above>
      <TextInput
        size="xs"
        w={110}
        autoFocus
        aria-label={`New ${label}`}
        inputMode="decimal"
        value={text}
        error={wrong}
        readOnly={replace.isPending}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <Button size="compact-xs" loading={replace.isPending} onClick={save}>
        Save
      </Button>
    </div>
  );
}
