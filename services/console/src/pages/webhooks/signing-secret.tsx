import { Text } from '@mantine/core';
import { SecretOnce } from '../../components/secret-once';
import { CodeTabs } from '../../components/snippets';
import { SIGNATURE_CHECKS } from './check-signature';

/** The secret of a webhook, and how its receiver checks what is signed with it. */
export function SigningSecret(props: { readonly secret: string; readonly onDone: () => void }) {
  return (
    <SecretOnce what="signing secret" {...props}>
      <Text c="dimmed" size="sm">
        With it your service checks that what arrives comes from here:
      </Text>
      <CodeTabs examples={SIGNATURE_CHECKS} />
    </SecretOnce>
  );
}
