import { MultiSelect, Select, TagsInput, TextInput } from '@mantine/core';
import { useSetPlan, useUpdateAccount } from '../../api/accounts';
import { usePlans } from '../../api/billing';
import { useCatalogue } from '../../api/models';
import type { Account } from '../../api/schemas';
import { useEditForm } from '../../components/edit-form';
import { Form, LimitInputs } from '../../components/form';
import { toOptions } from '../../format/names';
import { TERMS_RULES, toAccountChanges, toTermsDraft } from './terms-draft';

/** Name, plan, and the terms that come before those of the plan. */
export function EditAccount({ account }: { readonly account: Account }) {
  const update = useUpdateAccount(account.id);
  const setPlan = useSetPlan(account.id);
  const plans = usePlans();
  const catalogue = useCatalogue();
  const form = useEditForm(toTermsDraft(account), TERMS_RULES);
  const changes = toAccountChanges(form.values, account);
  const isSamePlan = form.values.plan === account.plan;
  const hasChanges = Object.keys(changes).length > 0;
  const save = async () => {
    // What became of the press before is over.
    setPlan.reset();
    update.reset();
    if (!isSamePlan) await setPlan.mutateAsync(form.values.plan);
    if (hasChanges) update.mutate(changes);
  };
  return (
    <Form
      form={form}
      verb="Save"
      change={{
        isPending: update.isPending || setPlan.isPending,
        error: update.error ?? setPlan.error,
      }}
      isUnchanged={isSamePlan && !hasChanges}
      isSaved={update.isSuccess || setPlan.isSuccess}
      // The form shows the failure.
      onSubmit={() => void save().catch(() => undefined)}
    >
      <TextInput label="Name" {...form.getInputProps('name')} />
      <Select
        label="Plan"
        data={toOptions(plans.data?.items)}
        allowDeselect={false}
        {...form.getInputProps('plan')}
      />
      <LimitInputs
        inputOf={(name) => form.getInputProps(name)}
        description="A number, or none."
        placeholder="As the plan"
      />
      <MultiSelect
        label="Models"
        description="Those of the plan when none is chosen."
        data={(catalogue.data ?? []).map(({ id }) => id)}
        searchable
        {...form.getInputProps('models')}
      />
      <TagsInput
        label="Groups"
        description="Channel groups that the account may use, besides those of the plan."
        {...form.getInputProps('groups')}
      />
      <TextInput
        label="Discount"
        description="Per cent off the prices; with a minus a mark-up."
        inputMode="decimal"
        rightSection="%"
        {...form.getInputProps('discount')}
      />
    </Form>
  );
}
