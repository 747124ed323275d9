import { Checkbox, Code, Text, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { SecretOnce } from '../../components/secret-once';
import { CodeTabs } from '../../components/snippets';
import { useUser } from '../../session/session';
import { SIGNATURE_CHECKS } from './check-signature';
import { eventsFor, type WebhookDraft } from './webhook-draft';

export function WebhookFields({ form }: { readonly form: UseFormReturnType<WebhookDraft> }) {
  const { role } = useUser();
  return (
    <>
      <TextInput
        label="Address"
        description="Such as https://example.com/events; what is sent there is signed after the Standard Webhooks rules."
        data-autofocus
        {...form.getInputProps('url')}
      />
      <Checkbox.Group label="Events" {...form.getInputProps('events')}>
        <div style={{ display: 'grid', gap: 8, paddingTop: 8 }}>
          {eventsFor(role).map(({ type, says }) => (
            <Checkbox
              key={type}
              value={type}
              label={
                <>
                  <Code>{type}</Code>{' '}
                  <Text span c="dimmed" size="sm">
                    {says}
                  </Text>
                </>
              }
            />
          ))}
        </div>
      </Checkbox.Group>
      <TextInput label="Description" {...form.getInputProps('description')} />
    </>
  );
}

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
