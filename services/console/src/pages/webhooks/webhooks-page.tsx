import { useForm } from '@mantine/form';
import { useCreateWebhook, useWebhooks } from '../../api/webhooks';
import { Form } from '../../components/form';
import { ListView } from '../../components/list-view';
import { CreateDrawer, OpenedDrawer } from '../../components/overlay';
import { CreateButton, Page } from '../../components/page';
import { ApiCall } from '../../components/snippets';
import { useOpenThing } from '../../url/url-state';
import { webhookColumns } from './columns';
import { WebhookDetails } from './webhook-details';
import { EMPTY_WEBHOOK, toNewWebhook, WEBHOOK_RULES } from './webhook-draft';
import { SigningSecret, WebhookFields } from './webhook-fields';

/** Where the account wants to hear of events. */
export function WebhooksPage() {
  const webhooks = useWebhooks();
  const open = useOpenThing();
  const create = <CreateButton open={open} label="Create webhook" />;
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
        {...open.rows}
        empty={{
          title: 'No webhooks yet',
          text: 'A webhook tells your own service when the balance runs low or a key changes.',
          action: create,
        }}
      />
      <CreateDrawer open={open} title="Create webhook">
        <CreateWebhook onDone={open.close} />
      </CreateDrawer>
      <OpenedDrawer open={open} title={open.find(webhooks.data)?.url ?? 'Webhook'}>
        {(id) => <WebhookDetails id={id} onGone={open.close} />}
      </OpenedDrawer>
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
      change={create}
      onCancel={onDone}
      onSubmit={(draft) => create.mutate(toNewWebhook(draft))}
    >
      <WebhookFields form={form} />
      <ApiCall method="POST" path="/v1/webhooks" body={toNewWebhook(form.values)} />
    </Form>
  );
}
