import { PasswordInput, type PasswordInputProps } from '@mantine/core';

/** The password of somebody else, until they sign in for the first time. */
export function FirstPasswordInput(props: PasswordInputProps) {
  return (
    <PasswordInput
      label="First password"
      description="Give it to them in a way that you trust; they choose another at the first sign-in."
      autoComplete="new-password"
      {...props}
    />
  );
}

/** A password that somebody chooses for themselves. */
export function NewPasswordInput(props: PasswordInputProps) {
  return (
    <PasswordInput
      label="New password"
      description="At least 8 characters, three of them different."
      autoComplete="new-password"
      {...props}
    />
  );
}
