import { Button, Group, Select, TagsInput, Text, Textarea, TextInput } from '@mantine/core';
import { type UseFormReturnType, useForm } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import { Plus } from 'lucide-react';
import { useCatalogue, useCreateModel, useDeleteModel, useReplaceModel } from '../../api/models';
import type { Model } from '../../api/schemas';
import { Danger } from '../../components/danger';
import { DataTable } from '../../components/data-table';
import { AmountInput, Beside, Form } from '../../components/form';
import { Page } from '../../components/page';
import { QueryState } from '../../components/query-state';
import { AsJson, Facts, SideDrawer } from '../../components/side-drawer';
import { ApiCall } from '../../components/snippets';
import { useEditForm } from '../../components/use-edit-form';
import { useOpenThing } from '../../url/open-thing';
import { catalogueColumns } from './columns';
import { ImportModels } from './import-models';
import {
  EMPTY_MODEL,
  KIND_NAMES,
  MODEL_RULES,
  type ModelDraft,
  toModelBody,
  toModelDraft,
} from './model-draft';

/** Stands in the address in place of a model's name, which has no space. */
const IMPORT = 'the import';
const KINDS = Object.entries(KIND_NAMES).map(([value, label]) => ({ value, label }));

/** The models that are offered, and their prices. */
export function CataloguePage() {
  const catalogue = useCatalogue();
  const open = useOpenThing();
  const add = (
    <Button leftSection={<Plus size={16} />} onClick={open.create}>
      Add model
    </Button>
  );
  const opened = catalogue.data?.find(({ id }) => id === open.id);
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
          <DataTable
            label="Models"
            rows={models.filter(({ routing }) => !routing)}
            columns={catalogueColumns}
            keyOf={({ id }) => id}
            hrefOf={({ id }) => open.hrefOf(id)}
          />
        )}
      </QueryState>
      <SideDrawer isForm isOpen={open.isNew} title="Add model" onClose={open.close}>
        <AddModel onDone={open.close} />
      </SideDrawer>
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
          <AmountInput label="Completion" {...form.getInputProps('pricing.completion')} />
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
        description="Such as tools; requests that need one go to no other model."
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
      isBusy={create.isPending}
      error={create.error}
      onCancel={onDone}
      onSubmit={(draft) =>
        create.mutate({ name: draft.name, ...toModelBody(draft) }, { onSuccess: onDone })
      }
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
      <ApiCall
        method="POST"
        path="/v1/admin/models"
        body={{ name: form.values.name, ...toModelBody(form.values) }}
      />
    </Form>
  );
}

function EditModel(props: { readonly model: Model; readonly onDone: () => void }) {
  const { model, onDone } = props;
  const replace = useReplaceModel(model.id);
  const remove = useDeleteModel(model.id);
  const [isDeleting, deleting] = useDisclosure(false);
  const stored = toModelDraft(model);
  const form = useEditForm(stored, MODEL_RULES);
  return (
    <>
      <Group gap="xs">
        <Button variant="default" c="var(--toll-bad)" onClick={deleting.open}>
          Delete
        </Button>
      </Group>
      <Facts facts={[['Kind', KIND_NAMES[model.kind]]]} />
      <Form
        form={form}
        verb="Save"
        isBusy={replace.isPending}
        isUnchanged={JSON.stringify(form.values) === JSON.stringify(stored)}
        error={replace.error}
        onSubmit={(draft) => replace.mutate(toModelBody(draft), { onSuccess: onDone })}
      >
        <ModelFields form={form} />
      </Form>
      <AsJson value={model} />
      <Danger
        isOpen={isDeleting}
        title={`Delete the model “${model.id}”`}
        verb="Delete model"
        typed={model.id}
        isBusy={remove.isPending}
        error={remove.error}
        onClose={deleting.close}
        onConfirm={() => remove.mutate(undefined, { onSuccess: onDone })}
      >
        Requests that name it are refused from now on. What was charged stays as it is.
      </Danger>
    </>
  );
}
