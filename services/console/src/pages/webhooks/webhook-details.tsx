import { Anchor, Button, Group, Stack, Text } from '@mantine/core';
import type { Webhook } from '../../api/schemas';
import {
  useDeleteWebhook,
  useDeliveries,
  useRotateSecret,
  useTestWebhook,
  useUpdateWebhook,
  useWebhook,
} from '../../api/webhooks';
import { CodeBlock } from '../../components/copy';
import { DangerButton, EnableOrDisable } from '../../components/danger';
import { EditForm, useEditForm } from '../../components/edit-form';
import { AsJson, Facts, fact } from '../../components/facts';
import { Failure } from '../../components/failure';
import { More } from '../../components/form';
import { ListView } from '../../components/list-view';
import { DrawerSection } from '../../components/overlay';
import { QueryState } from '../../components/query-state';
import { Moment } from '../../components/values';
import { formatCount, formatNumberOf, NOTHING } from '../../format/quantity';
import { DAY_MS } from '../../format/time';
import { deliveryColumns, WebhookStatus } from './columns';
import { exampleOf, toWebhookChanges, toWebhookDraft, WEBHOOK_RULES } from './webhook-draft';
import { SigningSecret, WebhookFields } from './webhook-fields';

/** One endpoint: whether it answers, what it was sent, and what can be done with it. */
export function WebhookDetails(props: { readonly id: string; readonly onGone: () => void }) {
  const webhook = useWebhook(props.id);
  return (
    <QueryState query={webhook}>
      {(data) => <LoadedWebhook webhook={data} onGone={props.onGone} />}
    </QueryState>
  );
}

function LoadedWebhook(props: { readonly webhook: Webhook; readonly onGone: () => void }) {
  const { webhook, onGone } = props;
  const rotate = useRotateSecret(webhook.id);
  const secret = rotate.data?.secret;
  const isEnabled = webhook.status === 'enabled';
  if (secret !== undefined) {
    return <SigningSecret secret={secret} onDone={() => rotate.reset()} />;
  }
  return (
    <Stack gap="lg">
      <Actions webhook={webhook} rotate={rotate} onGone={onGone} />
      <Facts
        facts={[
          ['Status', <WebhookStatus key="status" webhook={webhook} />],
          ['Description', webhook.description || NOTHING],
          ['Events', webhook.events.join(', ')],
          // An enabled webhook says so in its status.
          ...fact('Failures in a row', isEnabled ? '' : formatCount(webhook.consecutive_failures)),
          ['Created', <Moment key="created" at={webhook.created_at} full />],
        ]}
      />
      <DrawerSection title="Deliveries">
        <Deliveries id={webhook.id} isEnabled={isEnabled} />
      </DrawerSection>
      <DrawerSection title="What arrives">
        <More label="The shape of a body">
          <CodeBlock text={exampleOf(webhook.events)} what="example" />
          <Text size="sm" c="dimmed">
            <Anchor
              href="/docs/guide/webhooks"
              target="_blank"
              rel="noopener"
              inherit
              underline="always"
            >
              The guide
            </Anchor>{' '}
            says more of events, and how a signature is checked.
          </Text>
        </More>
      </DrawerSection>
      <DrawerSection title="Settings">
        <More label="Change settings">
          <EditWebhook webhook={webhook} />
        </More>
      </DrawerSection>
      <AsJson value={webhook} />
    </Stack>
  );
}

/** The old secret signs as well for a day, so that a receiver has time to change. */
const GRACE_SECONDS = DAY_MS / 1000;

function Actions(props: {
  readonly webhook: Webhook;
  readonly rotate: ReturnType<typeof useRotateSecret>;
  readonly onGone: () => void;
}) {
  const { webhook, rotate } = props;
  const test = useTestWebhook(webhook.id);
  const update = useUpdateWebhook(webhook.id);
  const remove = useDeleteWebhook(webhook.id);
  const isEnabled = webhook.status === 'enabled';
  // A dialog tells of its own failure.
  const error = test.error ?? (isEnabled ? null : update.error);
  return (
    <>
      <Group gap="xs">
        <Button loading={test.isPending} onClick={() => test.mutate(undefined)}>
          Send test
        </Button>
        <EnableOrDisable
          isEnabled={isEnabled}
          on="enabled"
          kind="webhook"
          title="Disable this webhook"
          update={update}
        >
          Its {formatNumberOf(webhook.events.length, 'kind')} of event are not sent to {webhook.url}{' '}
          until it is enabled again.
        </EnableOrDisable>
        <DangerButton
          label="Rotate secret"
          title="Rotate the signing secret"
          verb="Rotate secret"
          change={rotate}
          onConfirm={(onSuccess) => rotate.mutate(GRACE_SECONDS, { onSuccess })}
        >
          A new secret is shown once. For 24 hours each event is signed with the old one too; after
          that a receiver that knows only the old one refuses them.
        </DangerButton>
        <DangerButton
          label="Delete"
          isFinal
          title="Delete this webhook"
          verb="Delete webhook"
          change={remove}
          onConfirm={() => remove.mutate(undefined, { onSuccess: props.onGone })}
        >
          Events that wait for {webhook.url} are dropped, and its history is gone.
        </DangerButton>
      </Group>
      {error !== null && <Failure error={error} />}
    </>
  );
}

function Deliveries(props: { readonly id: string; readonly isEnabled: boolean }) {
  const { id, isEnabled } = props;
  const deliveries = useDeliveries(id);
  return (
    <ListView
      query={deliveries}
      label="Deliveries"
      columns={deliveryColumns(isEnabled)}
      keyOf={(delivery) => delivery.id}
      empty={{
        title: 'Nothing delivered yet',
        text: 'Send a test to see whether your service answers.',
      }}
    />
  );
}

function EditWebhook({ webhook }: { readonly webhook: Webhook }) {
  const update = useUpdateWebhook(webhook.id);
  const form = useEditForm(toWebhookDraft(webhook), WEBHOOK_RULES);
  const changes = toWebhookChanges(form.values, webhook);
  return (
    <EditForm form={form} changes={changes} update={update}>
      <WebhookFields form={form} />
    </EditForm>
  );
}
