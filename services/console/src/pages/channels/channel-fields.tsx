import { PasswordInput, Select, Switch, TagsInput, Textarea, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { Beside, More } from '../../components/form';
import { AskVendor } from './ask-vendor';
import { BASE_URLS, type ChannelDraft } from './channel-draft';
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
            label="At the same time"
            description="Most requests."
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
