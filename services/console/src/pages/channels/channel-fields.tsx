import {
  Button,
  PasswordInput,
  Select,
  Stack,
  Switch,
  TagsInput,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useDiscoverModels } from '../../api/channels';
import type { DiscoveredModels } from '../../api/schemas';
import { CodeBlock } from '../../components/copy';
import { Failure } from '../../components/failure';
import { Beside, More } from '../../components/form';
import { formatCount, formatNumberOf } from '../../format/quantity';
import { addModels, BASE_URLS, type ChannelDraft, toNewChannel } from './channel-draft';
import { nameVendor } from './columns';

const TYPES = Object.keys(BASE_URLS) as (keyof typeof BASE_URLS)[];

/** The vendor brings its address along; most channels need nothing below More. */
export function ChannelFields(props: {
  readonly form: UseFormReturnType<ChannelDraft>;
  readonly isNew: boolean;
}) {
  const { form, isNew } = props;
  const { type, base_url } = form.values;
  return (
    <>
      <Select
        label="Vendor"
        data={TYPES.map((value) => ({ value, label: nameVendor(value) }))}
        allowDeselect={false}
        {...form.getInputProps('type')}
        onChange={(value) => {
          const chosen = TYPES.find((one) => one === value) ?? 'openai';
          form.setValues({ type: chosen, base_url: BASE_URLS[chosen] });
        }}
      />
      <TextInput label="Name" data-autofocus {...form.getInputProps('name')} />
      <TextInput label="Address" {...form.getInputProps('base_url')} />
      <PasswordInput
        label="Credential"
        description={
          isNew
            ? "The vendor's API key; it is sealed and never shown again."
            : 'Empty leaves it as it is; a new address needs it again.'
        }
        autoComplete="new-password"
        {...form.getInputProps('credential')}
      />
      <Textarea
        label="Models"
        description="Models of the catalogue, one a line; name=upstream where the vendor says otherwise."
        autosize
        minRows={3}
        {...form.getInputProps('models')}
      />
      {isNew && <AskVendor key={`${type} ${base_url}`} form={form} />}
      <More>
        <Beside>
          <TextInput
            label="Priority"
            description="Lower goes first."
            inputMode="numeric"
            {...form.getInputProps('priority')}
          />
          <TextInput
            label="Weight"
            description="Its part among equals."
            inputMode="numeric"
            {...form.getInputProps('weight')}
          />
          <TextInput
            label="Requests at once"
            description="At most."
            inputMode="numeric"
            placeholder="No limit"
            {...form.getInputProps('max_concurrency')}
          />
        </Beside>
        <TagsInput
          label="Groups"
          description="Only accounts that were granted one of them may use it; all when none is named."
          {...form.getInputProps('groups')}
        />
        <Switch
          label="Disable it by itself when its vendor refuses the credential or has no credit left"
          {...form.getInputProps('auto_disable', { type: 'checkbox' })}
        />
      </More>
    </>
  );
}

/** Fills the models with those of the catalogue that the vendor has; the others are listed. */
function AskVendor({ form }: { readonly form: UseFormReturnType<ChannelDraft> }) {
  const discover = useDiscoverModels();
  const ask = () => {
    if (form.validateField('base_url').hasError) return;
    discover.mutate(toNewChannel(form.getValues()), {
      onSuccess: ({ models }) => {
        const names = models.filter(({ in_catalogue }) => in_catalogue).map(({ name }) => name);
        form.setFieldValue('models', (text) => addModels(text, names));
      },
    });
  };
  return (
    <Stack gap="xs" align="flex-start">
      <Button variant="default" loading={discover.isPending} onClick={ask}>
        Ask the vendor
      </Button>
      {discover.error !== null && <Failure error={discover.error} />}
      {discover.data !== undefined && <Found found={discover.data} />}
    </Stack>
  );
}

function Found({ found: { models, error } }: { readonly found: DiscoveredModels }) {
  if (error !== null) return <Failure error={new Error(`The vendor gave no list: ${error}`)} />;
  const others = models.filter(({ in_catalogue }) => !in_catalogue);
  return (
    <>
      <Text size="sm" role="status">
        The vendor has {formatNumberOf(models.length, 'model')},{' '}
        {formatCount(models.length - others.length)} of them in the catalogue.
      </Text>
      {others.length > 0 && (
        <More label="Names that the catalogue does not have">
          <CodeBlock
            text={others.map(({ name }) => name).join('\n')}
            what="names"
            maxHeight={240}
          />
        </More>
      )}
    </>
  );
}
