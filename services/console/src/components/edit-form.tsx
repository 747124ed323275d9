import { type FormRulesRecord, type UseFormReturnType, useForm } from '@mantine/form';
import { type ReactNode, useEffect, useRef } from 'react';
import { changedFields } from './drafts';
import type { ChangeState } from './failure';
import { Form } from './form';

/**
 * The form of a thing that is there already. Where the thing is changed, by this form or elsewhere,
 * the fields show it as it is now; what is written in the others stays, and so does the focus.
 */
// biome-ignore lint/suspicious/noExplicitAny: the bound of the library's own forms
export function useEditForm<Draft extends Record<string, any>>(
  stored: Draft,
  validate: FormRulesRecord<Draft>,
): UseFormReturnType<Draft> {
  const form = useForm<Draft>({ initialValues: stored, validate });
  const version = JSON.stringify(stored);
  const shown = useRef(stored);
  // Every render makes another draft of the same thing: only another content counts.
  useEffect(() => {
    form.setValues(changedFields(shown.current, stored));
    shown.current = stored;
  }, [version]);
  return form;
}

/** What a form of changes needs of its mutation. */
interface Update<Changes> extends ChangeState {
  readonly isSuccess: boolean;
  mutate(changes: Changes, options?: { readonly onSuccess: () => void }): void;
}

/** The form of a thing that is there already, which sends what differs from the thing as it is. */
export function EditForm<Draft, Changes extends object>(props: {
  readonly form: UseFormReturnType<Draft>;
  readonly changes: Changes;
  readonly update: Update<Changes>;
  readonly onSaved?: () => void;
  readonly children: ReactNode;
}) {
  const { changes, form, onSaved, update } = props;
  return (
    <Form
      form={form}
      verb="Save"
      change={update}
      isUnchanged={Object.keys(changes).length === 0}
      isSaved={update.isSuccess}
      onSubmit={() => update.mutate(changes, onSaved && { onSuccess: onSaved })}
    >
      {props.children}
    </Form>
  );
}
