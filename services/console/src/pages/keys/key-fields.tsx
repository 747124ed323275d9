import { Checkbox, MultiSelect, Select, TagsInput, Textarea } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useModels } from '../../api/models';
import { AmountInput, Beside, EndInput, LimitInputs } from '../../components/form';
import { useUser } from '../../session/session';
import { type KeyDraft, SCOPES } from './key-draft';

type KeyForm = UseFormReturnType<KeyDraft>;

/** Every setting of a key but its name. */
export function KeyFields(props: { readonly form: KeyForm }) {
  return (
    <>
      <RightsFields form={props.form} />
      <BudgetFields form={props.form} />
      <LimitInputs
        inputOf={(name) => props.form.getInputProps(name)}
        inputMode="numeric"
        placeholder="As the plan"
      />
      <Textarea
        label="Metadata"
        description="Your own notes, one name=value on each line."
        autosize
        minRows={2}
        {...props.form.getInputProps('metadata')}
      />
    </>
  );
}

function RightsFields({ form }: { readonly form: KeyForm }) {
  const { role } = useUser();
  const models = useModels();
  const isOperator = role === 'operator';
  return (
    <>
      <Checkbox.Group label="May" {...form.getInputProps('scopes')}>
        <div style={{ display: 'grid', gap: 8, paddingTop: 8 }}>
          {SCOPES.map(({ scope, says }) => (
            <Checkbox key={scope} value={scope} label={`${scope}: ${says}`} />
          ))}
          {isOperator && <Checkbox value="admin" label="admin: operate this deployment" />}
        </div>
      </Checkbox.Group>
      <MultiSelect
        label="Models"
        placeholder={form.values.models.length === 0 ? 'Every model' : ''}
        data={(models.data ?? []).filter(({ routing }) => !routing).map(({ id }) => id)}
        searchable
        {...form.getInputProps('models')}
      />
      <TagsInput
        label="Groups"
        description="Channel groups that it may name; all that the account has when none is named."
        {...form.getInputProps('pools')}
      />
      <TagsInput
        label="Allowed addresses"
        description="IP addresses or networks such as 203.0.113.0/24; any when none is named."
        {...form.getInputProps('allowed_ips')}
      />
      <EndInput label="Ends" {...form.getInputProps('expires_at')} />
    </>
  );
}

function BudgetFields({ form }: { readonly form: KeyForm }) {
  return (
    <Beside>
      <AmountInput
        label="Budget"
        description="What it may spend."
        placeholder="No limit"
        {...form.getInputProps('max_budget')}
      />
      <Select
        label="Budget period"
        description="When it begins anew."
        data={[
          { value: '', label: 'Never' },
          { value: 'day', label: 'Every day' },
          { value: 'week', label: 'Every week' },
          { value: 'month', label: 'Every month' },
        ]}
        allowDeselect={false}
        {...form.getInputProps('budget_period')}
      />
    </Beside>
  );
}
