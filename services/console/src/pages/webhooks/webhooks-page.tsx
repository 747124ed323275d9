import { Button } from '@mantine/core';
import { useForm } from '@mantine/form';
import { Plus } from 'lucide-react';
import { useCreateWebhook, useWebhooks } from '../../api/webhooks';
import { Form } from '../../components/form';
import { ListView } from '../../components/list-view';
import { Page } from '../../components/page';
import { SideDrawer } from '../../components/side-drawer';
import { ApiCall } from '../../components/snippets';
import { useOpenThing } from '../../url/open-thing';
import { webhookColumns } from './columns';
import { SigningSecret } from './signing-secret';
import { WebhookDetails } from './webhook-details';
import { EMPTY_WEBHOOK, toNewWebhook, WEBHOOK_RULES } from './webhook-draft';
import { WebhookFields } from './webhook-fields';

/** Where the account wants to hear of events. */
export function WebhooksPage() {
  const webhooks = useWebhooks();
  const open = useOpenThing();
  const create = (
    <Button leftSection={<Plus size={16} />} onClick={open.create}>
      Create webhook
    </Button>
  );
  return (
    <Page
      title="Webhooks"
      sentence="Events of your account, sent to your own address and tried for three days."
      // An empty list offers it itself.
      action={webhooks.data?.length === 0 ? undefined : create}
    >
      <ListView
        query={webhooks}
        label="Webhooks"
        columns={webhookColumns}
        keyOf={({ id }) => id}
        hrefOf={({ id }) => open.hrefOf(id)}
        empty={{
          title: 'No webhooks yet',
          text: 'A webhook tells your own service when the balance runs low or a key changes.',
          action: create,
        }}
      />
      <SideDrawer isForm isOpen={open.isNew} title="Create webhook" onClose={open.close}>
        <CreateWebhook onDone={open.close} />
      </SideDrawer>
      <SideDrawer
        isOpen={open.id !== undefined}
        title={webhooks.data?.find(({ id }) => id === open.id)?.url ?? 'Webhook'}
        onClose={open.close}
      >
        {open.id !== undefined && <WebhookDetails id={open.id} onGone={open.close} />}
      </SideDrawer>
    </Page>
  );
}

function CreateWebhook({ onDone }: { readonly onDone: () => void }) {
  const create = useCreateWebhook();
  const form = useForm({ initialValues: EMPTY_WEBHOOK, validate: WEBHOOK_RULES });
  const secret = create.data?.secret;
  if (secret !== undefined) {
    return <SigningSecret secret={secret} onDone={onDone} />;
  }
  return (
    <Form
      form={form}
      verb="Create webhook"
      isBusy={create.isPending}
      error={create.error}
      onCancel={onDone}
      onSubmit={(draft) => create.mutate(toNewWebhook(draft))}
    >
      <WebhookFields form={form} />
      <ApiCall method="POST" path="/v1/webhooks" body={toNewWebhook(form.values)} />
    </Form>
  );
}
