import { SegmentedControl, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useCreateKey } from '../../api/keys';
import { Form, More } from '../../components/form';
import { DrawerSection } from '../../components/overlay';
import { SecretOnce } from '../../components/secret-once';
import { firstCall } from '../../components/snippet-texts';
import { ApiCall, Snippets } from '../../components/snippets';
import { EMPTY_KEY, KEY_RULES, PRESETS, toNewKey } from './key-draft';
import { KeyFields } from './key-fields';

/** A name is enough; the secret is shown once, with the call that uses it. */
export function CreateKey(props: { readonly onDone: () => void }) {
  const create = useCreateKey();
  const form = useForm({ initialValues: EMPTY_KEY, validate: KEY_RULES });
  const secret = create.data?.key;
  if (secret !== undefined) {
    return (
      <SecretOnce secret={secret} what="API key" onDone={props.onDone}>
        <DrawerSection title="Use it">
          <Snippets call={firstCall(secret)} />
        </DrawerSection>
      </SecretOnce>
    );
  }
  const { scopes } = form.values;
  const preset = PRESETS.find((one) => String(one.scopes) === String(scopes));
  return (
    <Form
      form={form}
      verb="Create key"
      change={create}
      onCancel={props.onDone}
      onSubmit={(draft) => create.mutate(toNewKey(draft))}
    >
      <TextInput
        label="Name"
        description="Where it is used, so that you know it again."
        data-autofocus
        {...form.getInputProps('name')}
      />
      <Stack gap={6}>
        <Text fw={600} size="sm" id="preset">
          For
        </Text>
        <SegmentedControl
          aria-labelledby="preset"
          data={PRESETS.map(({ value, label }) => ({ value, label }))}
          value={preset?.value ?? ''}
          onChange={(value) => {
            const chosen = PRESETS.find((one) => one.value === value);
            if (chosen !== undefined) form.setFieldValue('scopes', [...chosen.scopes]);
          }}
        />
        <Text size="sm" c="dimmed">
          May use {scopes.join(', ') || 'nothing'}.
        </Text>
      </Stack>
      <More>
        <KeyFields form={form} />
      </More>
      <ApiCall method="POST" path="/v1/keys" body={toNewKey(form.values)} />
    </Form>
  );
}
