import { Button, Code, Group, Stack, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { type ReactNode, useState } from 'react';
import { shortenName } from '../format/names';
import { type ChangeState, Failure } from './failure';
import { Dialog } from './overlay';

interface Confirmation {
  readonly title: string;
  /** The damage that it does. */
  readonly children: ReactNode;
  /** The verb on the button. */
  readonly verb: string;
  readonly change: ChangeState;
  /** The name whose beginning has to be typed; nothing where it can be undone. */
  readonly typed?: string;
  /** Each try has the same Idempotency-Key, so that a second press changes nothing twice. */
  readonly isRepeatable?: boolean;
}

/** A button for what hurts: it asks first. */
export function DangerButton(
  props: Confirmation & {
    readonly label: string;
    /** Nothing brings back what it takes away: it has the colour of that. */
    readonly isFinal?: boolean;
    /** Calls back when it is done. */
    readonly onConfirm: (onDone: () => void) => void;
  },
) {
  const { label, isFinal, onConfirm, ...confirmation } = props;
  const [isAsking, asking] = useDisclosure(false);
  return (
    <>
      <Button variant="default" onClick={asking.open} {...(isFinal && { c: 'var(--toll-bad)' })}>
        {label}
      </Button>
      <Danger
        {...confirmation}
        isOpen={isAsking}
        onClose={asking.close}
        onConfirm={() => onConfirm(asking.close)}
      />
    </>
  );
}

/** What a change of a status needs of its mutation; `On` is the status of a thing that works. */
interface StatusUpdate<On> extends ChangeState {
  mutate(
    changes: { readonly status: On | 'disabled' },
    options?: { readonly onSuccess: () => void },
  ): void;
}

/** Enables at once, and asks before it disables; `children` say what that does. */
export function EnableOrDisable<On extends 'enabled' | 'active'>(props: {
  readonly isEnabled: boolean;
  readonly on: On;
  /** The word for the thing, and the title of the confirmation. */
  readonly kind: string;
  readonly title: string;
  readonly update: StatusUpdate<On>;
  /** Whether the viewer may disable it, and nothing more. */
  readonly isOneWay?: boolean;
  readonly children: ReactNode;
}) {
  const { children, isEnabled, kind, on, title, update } = props;
  if (!isEnabled) {
    return (
      <Button
        variant="default"
        loading={update.isPending}
        disabled={props.isOneWay === true}
        onClick={() => update.mutate({ status: on })}
      >
        Enable
      </Button>
    );
  }
  return (
    <DangerButton
      label="Disable"
      title={title}
      verb={`Disable ${kind}`}
      change={update}
      onConfirm={(onSuccess) => update.mutate({ status: 'disabled' }, { onSuccess })}
    >
      {children}
    </DangerButton>
  );
}

/**
 * Asks before something that hurts: what it will break stands in numbers, and what cannot be undone
 * is confirmed by typing its name.
 */
export function Danger(
  props: Confirmation & {
    readonly isOpen: boolean;
    readonly onConfirm: () => void;
    readonly onClose: () => void;
  },
) {
  const { error, isPending } = props.change;
  const [text, setText] = useState('');
  const typed = props.typed === undefined ? undefined : shortenName(props.typed);
  const isConfirmed = typed === undefined || text.trim() === typed;
  const close = () => {
    setText('');
    props.onClose();
  };
  return (
    <Dialog isOpen={props.isOpen} onClose={close} title={props.title}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (isConfirmed) props.onConfirm();
        }}
      >
        <Stack>
          <Text component="div">{props.children}</Text>
          {typed !== undefined && (
            <TextInput
              label={
                <>
                  Type <Code>{typed}</Code> to confirm
                </>
              }
              value={text}
              onChange={(event) => setText(event.currentTarget.value)}
              autoComplete="off"
              data-autofocus
            />
          )}
          {error !== null && (
            <Failure
              error={error}
              pressed={{ verb: props.verb, isRepeatable: props.isRepeatable === true }}
            />
          )}
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              Cancel
            </Button>
            <Button type="submit" color="red.8" loading={isPending} disabled={!isConfirmed}>
              {props.verb}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
