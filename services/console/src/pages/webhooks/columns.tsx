import { ActionIcon, Code, Text } from '@mantine/core';
import { RotateCw } from 'lucide-react';
import type { Delivery, Webhook } from '../../api/schemas';
import { useRedeliver } from '../../api/webhooks';
import type { Column } from '../../components/data-table';
import { Status } from '../../components/status';
import { Count, Moment, Name, useNow } from '../../components/values';
import { formatNumberOf } from '../../format/quantity';
import { describeDelivery, describeNextTry, describeWebhook } from './describe-webhook';

export function WebhookStatus(props: { readonly webhook: Webhook }) {
  return <Status {...describeWebhook(props.webhook)} />;
}

export const webhookColumns: readonly Column<Webhook>[] = [
  { header: 'Address', width: 'name', cell: ({ url }) => <Name of={url} /> },
  { header: 'Status', cell: (webhook) => <WebhookStatus webhook={webhook} /> },
  { header: 'Events', cell: ({ events }) => formatNumberOf(events.length, 'kind') },
  {
    header: 'Last try',
    cell: ({ last_delivery_at }) => <Moment at={last_delivery_at} never="Never" />,
  },
  {
    header: 'Last answer',
    cell: ({ last_status_code, consecutive_failures }) =>
      last_status_code === null && consecutive_failures > 0 ? (
        'Not reached'
      ) : (
        <Count of={last_status_code} />
      ),
  },
];

/** Nothing is sent to a webhook that is off: what waits is held until it is enabled. */
export const deliveryColumns = (isEnabled: boolean): readonly Column<Delivery>[] => [
  { header: 'Event', cell: ({ event_type }) => <Code>{event_type}</Code> },
  {
    header: 'Delivery',
    width: 'name',
    isLong: true,
    cell: (delivery) => <DeliveryState delivery={delivery} isEnabled={isEnabled} />,
  },
  { header: 'When', cell: ({ created_at }) => <Moment at={created_at} form="clock" /> },
  { header: 'Again', cell: (delivery) => <RedeliverButton delivery={delivery} /> },
];

function DeliveryState(props: { readonly delivery: Delivery; readonly isEnabled: boolean }) {
  const { delivery, isEnabled } = props;
  const { status, last_status_code, last_error, next_attempt_at } = delivery;
  const nowMs = useNow();
  const answer = last_error ?? (last_status_code === null ? '' : `HTTP ${last_status_code}`);
  return (
    <>
      <Status {...describeDelivery(delivery, isEnabled)} />
      <div>{answer}</div>
      {status === 'pending' && isEnabled && next_attempt_at !== null && (
        <Text size="xs" c="dimmed" title={next_attempt_at}>
          {describeNextTry(next_attempt_at, nowMs)}
        </Text>
      )}
    </>
  );
}

/** Sends the same event once more. */
function RedeliverButton({ delivery }: { readonly delivery: Delivery }) {
  const redeliver = useRedeliver();
  const failure = redeliver.error?.message;
  return (
    <ActionIcon
      variant="default"
      size="sm"
      loading={redeliver.isPending}
      aria-label={`Redeliver ${delivery.event_type}`}
      title={failure === undefined ? 'Redeliver' : `Failed: ${failure}`}
      c={failure === undefined ? 'var(--mantine-color-text)' : 'var(--toll-bad)'}
      onClick={() => redeliver.mutate(delivery.id)}
    >
      <RotateCw size={14} aria-hidden="true" />
    </ActionIcon>
  );
}
