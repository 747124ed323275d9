import { Code, MultiSelect, Switch, TagsInput, Text, TextInput } from '@mantine/core';
import { type UseFormReturnType, useForm } from '@mantine/form';
import { useCatalogue } from '../../api/models';
import { useChangePlan, useCreatePlan, useFullPlan, useFullPlans } from '../../api/plans';
import type { FullPlan } from '../../api/schemas';
import { DataTable } from '../../components/data-table';
import { EditForm, useEditForm } from '../../components/edit-form';
import { AsJson, Facts } from '../../components/facts';
import { AmountInput, Beside, Form, LimitInputs } from '../../components/form';
import { CreateDrawer, DrawerSection, OpenedDrawer } from '../../components/overlay';
import { CreateButton, Page } from '../../components/page';
import { QueryState } from '../../components/query-state';
import { ApiCall } from '../../components/snippets';
import { Count, Moment } from '../../components/values';
import { useOpenThing } from '../../url/url-state';
import { ThresholdFields } from '../billing/threshold-fields';
import { planColumns, versionColumns } from './columns';
import {
  EMPTY_PLAN,
  PLAN_RULES,
  type PlanDraft,
  toNewPlan,
  toPlanChanges,
  toPlanDraft,
} from './plan-draft';

/** The plans that accounts can have, and their prices. */
export function PlansPage() {
  const plans = useFullPlans();
  const open = useOpenThing();
  const add = <CreateButton open={open} label="Create plan" />;
  return (
    <Page
      title="Plans"
      sentence="Limits, groups and models by name; an account's own terms come first."
      action={add}
    >
      <Text c="dimmed" size="sm">
        The price and the credit included are shown to customers, never charged or granted.
      </Text>
      <QueryState
        query={plans}
        empty={{ title: 'No plans', text: 'Create one that accounts can have.', action: add }}
      >
        {(rows) => <DataTable label="Plans" rows={rows} columns={planColumns} {...open.rows} />}
      </QueryState>
      <CreateDrawer open={open} title="Create plan">
        <CreatePlan onDone={open.close} />
      </CreateDrawer>
      <OpenedDrawer open={open} title={open.find(plans.data)?.name ?? 'Plan'}>
        {(id) => <PlanDetails id={id} />}
      </OpenedDrawer>
    </Page>
  );
}

function CreatePlan({ onDone }: { readonly onDone: () => void }) {
  const create = useCreatePlan();
  const form = useForm({ initialValues: EMPTY_PLAN, validate: PLAN_RULES });
  return (
    <Form
      form={form}
      verb="Create plan"
      change={create}
      onCancel={onDone}
      onSubmit={(draft) => create.mutate(toNewPlan(draft), { onSuccess: onDone })}
    >
      <TextInput
        label="Id"
        description="What the API calls it; it stays."
        data-autofocus
        {...form.getInputProps('id')}
      />
      <PlanFields form={form} />
      <ApiCall method="POST" path="/v1/admin/plans" body={toNewPlan(form.values)} />
    </Form>
  );
}

function PlanFields({ form }: { readonly form: UseFormReturnType<PlanDraft> }) {
  const catalogue = useCatalogue();
  return (
    <>
      <TextInput label="Name" {...form.getInputProps('name')} />
      <LimitInputs
        inputOf={(name) => form.getInputProps(name)}
        inputMode="numeric"
        placeholder="No limit"
      />
      <Beside>
        <AmountInput
          label="Price"
          description="A month; shown, never charged."
          {...form.getInputProps('price')}
        />
        <AmountInput
          label="Credit included"
          description="Shown, never granted."
          {...form.getInputProps('included_credit')}
        />
      </Beside>
      <MultiSelect
        label="Models"
        description="Every model when none is chosen."
        data={(catalogue.data ?? []).map(({ id }) => id)}
        searchable
        {...form.getInputProps('models')}
      />
      <TagsInput
        label="Groups"
        description="Channel groups that its accounts may use, besides the open ones."
        {...form.getInputProps('groups')}
      />
      <Switch
        label="Keep answers for a day where a completion asks for it"
        {...form.getInputProps('keep_answers', { type: 'checkbox' })}
      />
      <Switch
        label="Tell accounts of a low balance where I say"
        description="Otherwise at a tenth of their last credit; what an account sets itself comes first."
        {...form.getInputProps('hasThresholds', { type: 'checkbox' })}
      />
      {form.values.hasThresholds && (
        <Beside>
          <ThresholdFields
            amounts={form.getInputProps('thresholds.amounts')}
            days={form.getInputProps('thresholds.days')}
          />
        </Beside>
      )}
    </>
  );
}

function PlanDetails({ id }: { readonly id: string }) {
  const plan = useFullPlan(id);
  return (
    <QueryState query={plan}>
      {({ versions, ...data }) => (
        <>
          <Facts
            facts={[
              ['Id', <Code key="id">{data.id}</Code>],
              ['Version', <Count key="version" of={data.version} />],
              ['Changed', <Moment key="changed" at={whenChanged(data)} never="Never" full />],
            ]}
          />
          <DrawerSection title="Settings">
            <EditPlan plan={data} />
          </DrawerSection>
          {versions.length > 0 && (
            <DrawerSection title="Before">
              <DataTable
                label="Earlier versions"
                rows={versions}
                columns={versionColumns}
                keyOf={({ version }) => String(version)}
              />
            </DrawerSection>
          )}
          <AsJson value={data} />
        </>
      )}
    </QueryState>
  );
}

/** The first version of a plan that came with the product bears no time of its own. */
function whenChanged({ changed_at }: Pick<FullPlan, 'changed_at'>): string | null {
  return Date.parse(changed_at) === 0 ? null : changed_at;
}

function EditPlan({ plan }: { readonly plan: FullPlan }) {
  const change = useChangePlan(plan.id);
  const form = useEditForm(toPlanDraft(plan), PLAN_RULES);
  const changes = toPlanChanges(form.values, plan);
  return (
    <EditForm form={form} changes={changes} update={change}>
      <PlanFields form={form} />
      <ApiCall method="PATCH" path={`/v1/admin/plans/${plan.id}`} body={changes} />
    </EditForm>
  );
}
