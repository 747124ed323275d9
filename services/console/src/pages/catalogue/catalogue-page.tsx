import { Button, Group, Select, TagsInput, Text, Textarea, TextInput } from '@mantine/core';
import { type UseFormReturnType, useForm } from '@mantine/form';
import { useCatalogue, useChangeModel, useCreateModel, useDeleteModel } from '../../api/models';
import type { Model } from '../../api/schemas';
import { DangerButton } from '../../components/danger';
import { DataTable } from '../../components/data-table';
import { EditForm, useEditForm } from '../../components/edit-form';
import { AsJson, Facts } from '../../components/facts';
import { AmountInput, Beside, Form } from '../../components/form';
import { CreateDrawer, SideDrawer } from '../../components/overlay';
import { CreateButton, Page } from '../../components/page';
import { QueryState } from '../../components/query-state';
import { ApiCall } from '../../components/snippets';
import { useOpenThing } from '../../url/url-state';
import { catalogueColumns } from './columns';
import { ImportModels } from './import-models';
import {
  EMPTY_MODEL,
  KIND_NAMES,
  MODEL_RULES,
  type ModelDraft,
  toModelChanges,
  toModelDraft,
  toNewModel,
} from './model-draft';

/** Stands in the address in place of a model's name, which begins with no dash. */
const IMPORT = '-import';
const KINDS = Object.entries(KIND_NAMES).map(([value, label]) => ({ value, label }));

/** The models that are offered, and their prices. */
export function CataloguePage() {
  const catalogue = useCatalogue();
  const open = useOpenThing();
  const add = <CreateButton open={open} label="Add model" />;
  const opened = open.find(catalogue.data);
  return (
    <Page
      title="Models & prices"
      sentence="Prices are for a million tokens; a change holds for requests from then on."
      action={
        <>
          <Button variant="default" onClick={() => open.show(IMPORT)}>
            Import prices
          </Button>
          {add}
        </>
      }
    >
      <QueryState
        query={catalogue}
        empty={{
          title: 'No models yet',
          text: 'A model is what people ask for; channels say how it is served.',
          action: add,
        }}
      >
        {(models) => (
          <DataTable label="Models" rows={models} columns={catalogueColumns} {...open.rows} />
        )}
      </QueryState>
      <CreateDrawer open={open} title="Add model">
        <AddModel onDone={open.close} />
      </CreateDrawer>
      <SideDrawer isOpen={open.id === IMPORT} title="Import prices" onClose={open.close}>
        <ImportModels onDone={open.close} />
      </SideDrawer>
      <SideDrawer
        isOpen={open.id !== undefined && open.id !== IMPORT}
        title={open.id ?? 'Model'}
        onClose={open.close}
      >
        <QueryState query={{ ...catalogue, data: opened }} isListed>
          {(model) => <EditModel key={model.id} model={model} onDone={open.close} />}
        </QueryState>
      </SideDrawer>
    </Page>
  );
}

function ModelFields({ form }: { readonly form: UseFormReturnType<ModelDraft> }) {
  return (
    <>
      <Textarea label="Description" autosize minRows={2} {...form.getInputProps('description')} />
      <Beside>
        <TextInput
          label="Context tokens"
          inputMode="numeric"
          {...form.getInputProps('context_length')}
        />
        <TextInput
          label="Answer tokens"
          inputMode="numeric"
          {...form.getInputProps('max_completion_tokens')}
        />
      </Beside>
      <div>
        <Text c="dimmed" size="sm" mb={4}>
          Prices for a million tokens
        </Text>
        <Beside>
          <AmountInput label="Prompt" {...form.getInputProps('pricing.prompt')} />
          {form.values.kind !== 'embedding' && (
            <AmountInput label="Completion" {...form.getInputProps('pricing.completion')} />
          )}
          <AmountInput
            label="Cached prompt"
            placeholder="As prompt"
            {...form.getInputProps('pricing.cached_prompt')}
          />
          <AmountInput
            label="Cache write"
            placeholder="As prompt"
            {...form.getInputProps('pricing.cache_write')}
          />
        </Beside>
      </div>
      <TagsInput
        label="Capabilities"
        description="Such as tools: what customers are shown. Requests go by those of its channels."
        {...form.getInputProps('capabilities')}
      />
    </>
  );
}

function AddModel({ onDone }: { readonly onDone: () => void }) {
  const create = useCreateModel();
  const form = useForm({ initialValues: EMPTY_MODEL, validate: MODEL_RULES });
  return (
    <Form
      form={form}
      verb="Add model"
      change={create}
      onCancel={onDone}
      onSubmit={(draft) => create.mutate(toNewModel(draft), { onSuccess: onDone })}
    >
      <TextInput
        label="Name"
        description="A short name without date or version."
        data-autofocus
        {...form.getInputProps('name')}
      />
      <Select
        label="Kind"
        description="What it is asked for; it stays. An embedding model has no completion."
        data={KINDS}
        allowDeselect={false}
        {...form.getInputProps('kind')}
      />
      <ModelFields form={form} />
      <ApiCall method="POST" path="/v1/admin/models" body={toNewModel(form.values)} />
    </Form>
  );
}

function EditModel(props: { readonly model: Model; readonly onDone: () => void }) {
  const { model, onDone } = props;
  const change = useChangeModel(model.id);
  const remove = useDeleteModel(model.id);
  const form = useEditForm(toModelDraft(model), MODEL_RULES);
  const changes = toModelChanges(form.values, model);
  return (
    <>
      <Group gap="xs">
        <DangerButton
          label="Delete"
          isFinal
          title={`Delete the model “${model.id}”`}
          verb="Delete model"
          typed={model.id}
          change={remove}
          onConfirm={() => remove.mutate(undefined, { onSuccess: onDone })}
        >
          Requests that name it are refused from now on. What was charged stays as it is.
        </DangerButton>
      </Group>
      <Facts facts={[['Kind', KIND_NAMES[model.kind]]]} />
      <EditForm form={form} changes={changes} update={change} onSaved={onDone}>
        <ModelFields form={form} />
      </EditForm>
      <AsJson value={model} />
    </>
  );
}
