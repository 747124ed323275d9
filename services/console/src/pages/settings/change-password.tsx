import { Alert, PasswordInput, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useChangePassword } from '../../api/users';
import { isPassword } from '../../components/checks';
import { Form } from '../../components/form';
import { NewPasswordInput } from '../../components/password-inputs';

const EMPTY = { current_password: '', new_password: '' };

export function ChangePassword(props: { readonly isFirst?: boolean }) {
  const change = useChangePassword();
  const form = useForm({
    initialValues: EMPTY,
    validate: {
      current_password: (value) => (value === '' ? 'Your current password' : null),
      new_password: isPassword,
    },
  });
  return (
    <Stack maw={420}>
      {change.isSuccess && (
        <Alert variant="outline" role="status">
          The password is changed.
        </Alert>
      )}
      <Form
        form={form}
        verb="Change password"
        change={change}
        isUnchanged={form.values.current_password === '' && form.values.new_password === ''}
        // Done once, it is refused: the current password is another.
        isRepeatable={false}
        onSubmit={(draft) => change.mutate(draft, { onSuccess: () => form.reset() })}
      >
        <PasswordInput
          label="Current password"
          autoComplete="current-password"
          autoFocus={props.isFirst === true}
          {...form.getInputProps('current_password')}
        />
        <NewPasswordInput {...form.getInputProps('new_password')} />
      </Form>
    </Stack>
  );
}
