import { Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useResetPassword } from '../../api/users';
import { isPassword } from '../../components/checks';
import { Form } from '../../components/form';
import { NewPasswordInput } from '../../components/password-inputs';

/** A code and the password that it sets. */
export function ResetPassword() {
  const reset = useResetPassword();
  const form = useForm({
    initialValues: { code: '', new_password: '' },
    validate: {
      code: (value) => (value.trim() === '' ? 'Write the code' : null),
      new_password: isPassword,
    },
  });
  if (reset.isSuccess) return <Text role="status">The password is set. Sign in with it.</Text>;
  return (
    <Form
      form={form}
      verb="Set password"
      change={reset}
      onSubmit={({ code, new_password }) => reset.mutate({ code: code.trim(), new_password })}
    >
      <TextInput label="Code" autoComplete="one-time-code" {...form.getInputProps('code')} />
      <NewPasswordInput {...form.getInputProps('new_password')} />
    </Form>
  );
}
