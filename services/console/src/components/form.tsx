import { Button, Group, Stack, Text, TextInput, type TextInputProps } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { fieldAtFault } from '../api/api-error';
import { useCurrency } from '../api/billing';
import { symbolOf } from '../format/money';
import { viewersZone } from '../format/time';
import { LIMIT_LABELS, LIMIT_NAMES, type LimitName } from './drafts';
import { type ChangeState, Failure } from './failure';
import classes from './form.module.css';
import { useHeldOpen } from './overlay';

/** Fields, what the API said of them, and the buttons. */
export function Form<Draft>(props: {
  readonly form: UseFormReturnType<Draft>;
  readonly onSubmit: (draft: Draft) => void;
  /** The verb on the button. */
  readonly verb: string;
  /** What is sent. */
  readonly change: ChangeState;
  /** Each try has the same Idempotency-Key, so that a second press changes nothing twice. */
  readonly isRepeatable?: boolean;
  /** No field differs from the thing as it is, so there is nothing to send. */
  readonly isUnchanged?: boolean;
  /** Whether the change was made; said until something is written again. */
  readonly isSaved?: boolean;
  readonly onCancel?: (() => void) | undefined;
  /** Another way out of the form, left of the button. */
  readonly otherwise?: ReactNode;
  readonly children: ReactNode;
}) {
  const { form, onCancel } = props;
  const { error, isPending: isBusy } = props.change;
  const isUnchanged = props.isUnchanged === true;
  // A form that can be unchanged edits what is there already: the same change twice does no harm.
  const isRepeatable = props.isRepeatable ?? props.isUnchanged !== undefined;
  const isWritten = props.isUnchanged === undefined ? form.isDirty() : !isUnchanged;
  const goOn = useHeldOpen(isWritten, 'What you wrote is not saved.', 'Discard');
  const submit = useKeptFocus(isBusy);
  const { element, show } = useFirstFault();
  const field = fieldAtFault(error, form.getValues());
  // An error is said once, when it arrives: the form is another object at every keystroke.
  useEffect(() => {
    if (field === undefined || error === null) return;
    form.setFieldError(field, error.message);
    show();
  }, [error]);
  return (
    <form
      ref={element}
      onChange={goOn}
      onSubmit={form.onSubmit((draft) => {
        if (!isUnchanged) props.onSubmit(draft);
      }, show)}
      noValidate
    >
      <Stack>
        {props.children}
        {error !== null && field === undefined && (
          <Failure error={error} pressed={{ verb: props.verb, isRepeatable }} />
        )}
        <Group justify="flex-end" className={classes.buttons}>
          {/* A screen reader hears what comes into a place that was there before. */}
          <Text c="dimmed" size="sm" role="status">
            {props.isSaved === true && isUnchanged ? 'Saved' : ''}
          </Text>
          {props.otherwise}
          {onCancel !== undefined && (
            <Button variant="default" onClick={onCancel}>
              Cancel
            </Button>
          )}
          {/* The button keeps the focus with nothing to save: after saving nobody loses the place. */}
          <Button
            ref={submit}
            type="submit"
            loading={isBusy}
            data-disabled={isUnchanged}
            aria-disabled={isUnchanged}
          >
            {props.verb}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** A button that is busy loses the focus: afterwards it has it again, unless it went elsewhere. */
function useKeptFocus(isBusy: boolean) {
  const button = useRef<HTMLButtonElement>(null);
  const wasBusy = useRef(false);
  useEffect(() => {
    const isOver = wasBusy.current && !isBusy;
    wasBusy.current = isBusy;
    const isLost = document.activeElement === null || document.activeElement === document.body;
    if (isOver && isLost) button.current?.focus();
  }, [isBusy]);
  return button;
}

/** Goes to the first field that is wrong once it says so, also where settings are folded away. */
export function useFirstFault() {
  const element = useRef<HTMLFormElement>(null);
  const [asked, setAsked] = useState(0);
  useEffect(() => {
    const fault = element.current?.querySelector<HTMLElement>(FAULT);
    if (asked === 0 || fault === null || fault === undefined) return;
    const folded = fault.closest('details');
    if (folded !== null) folded.open = true;
    fieldOf(fault).focus();
    fault.scrollIntoView({ block: 'nearest' });
  }, [asked]);
  return { element, show: () => setAsked((count) => count + 1) };
}

/** The field to go to: of a password or of a group only the element around it is marked as wrong. */
function fieldOf(fault: HTMLElement): HTMLElement {
  if (fault.matches('input, textarea')) return fault;
  const around = fault.closest('.mantine-InputWrapper-root');
  return around?.querySelector<HTMLElement>('input, textarea') ?? fault;
}

/** A field, or the words below a group of fields. */
const FAULT = '[aria-invalid="true"], .mantine-InputWrapper-error';

/** Settings that most people leave as they are. */
export function More(props: {
  readonly label?: string;
  readonly onOpen?: () => void;
  readonly children: ReactNode;
}) {
  const { onOpen } = props;
  return (
    <details
      className={classes.more}
      onToggle={({ currentTarget }) => currentTarget.open && onOpen?.()}
    >
      <summary>{props.label ?? 'More settings'}</summary>
      <Stack mt="md">{props.children}</Stack>
    </details>
  );
}

/** The limits of a plan, of an account or of a key. */
export function LimitInputs({
  inputOf,
  ...looks
}: { readonly inputOf: (name: LimitName) => TextInputProps } & TextInputProps) {
  return (
    <Beside>
      {LIMIT_NAMES.map((name) => (
        <TextInput key={name} label={LIMIT_LABELS[name]} {...looks} {...inputOf(name)} />
      ))}
    </Beside>
  );
}

/** Fields side by side where there is room. */
export function Beside(props: { readonly children: ReactNode }) {
  return <div className={classes.beside}>{props.children}</div>;
}

/**
 * A time at which something ends, in the viewer's zone; empty for one that does not. Only where a
 * time is written it looks as the browser writes times.
 */
export function EndInput(props: Omit<TextInputProps, 'type'> & { readonly value?: string }) {
  const { onFocus, onBlur, ...rest } = props;
  const [isWriting, setWriting] = useState(false);
  return (
    <TextInput
      {...rest}
      type={isWriting || props.value ? 'datetime-local' : 'text'}
      placeholder="Never"
      description={`In your zone, ${viewersZone()}.`}
      onFocus={(event) => {
        setWriting(true);
        onFocus?.(event);
      }}
      onBlur={(event) => {
        setWriting(false);
        onBlur?.(event);
      }}
    />
  );
}

/** A field for an amount, which says of what. */
export function AmountInput(props: TextInputProps) {
  const currency = useCurrency();
  return <TextInput inputMode="decimal" leftSection={symbolOf(currency)} {...props} />;
}
