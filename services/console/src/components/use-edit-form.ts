import { type FormRulesRecord, type UseFormReturnType, useForm } from '@mantine/form';
import { useEffect, useRef } from 'react';
import { changedFields } from './drafts';

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
