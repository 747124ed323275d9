import { type FormRulesRecord, type UseFormReturnType, useForm } from '@mantine/form';
import { useEffect } from 'react';

/**
 * The form of a thing that is there already. When the thing is changed, by this form or elsewhere,
 * the fields show it as it is now; the form itself stays, and so does the focus in it.
 */
// biome-ignore lint/suspicious/noExplicitAny: the bound of the library's own forms
export function useEditForm<Draft extends Record<string, any>>(
  stored: Draft,
  validate: FormRulesRecord<Draft>,
): UseFormReturnType<Draft> {
  const form = useForm<Draft>({ initialValues: stored, validate });
  const version = JSON.stringify(stored);
  // Every render makes another draft of the same thing: only another content counts.
  useEffect(() => form.setValues(stored), [version]);
  return form;
}
