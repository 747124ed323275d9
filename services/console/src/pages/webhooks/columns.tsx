import { Button, Code, Text } from '@mantine/core';
import type { Delivery, Webhook } from '../../api/schemas';
import { useRedeliver } from '../../api/webhooks';
import type { Column } from '../../components/data-table';
import { Status, type Tone } from '../../components/status';
import { Count, Moment, Name } from '../../components/values';
import { formatName } from '../../format/names';
import { formatNumberOf } from '../../format/quantity';
import { describeWebhook } from './describe-webhook';

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
    cell: ({ last_status_code }) => <Count of={last_status_code} />,
  },
];

const DELIVERY_TONES: Readonly<Record<Delivery['status'], Tone>> = {
  succeeded: 'good',
  pending: 'warn',
  failed: 'bad',
};

/** Nothing is sent to a webhook that is off: what waits is held until it is enabled. */
export const deliveryColumns = (isEnabled: boolean): readonly Column<Delivery>[] => [
  { header: 'Event', cell: ({ event_type }) => <Code>{event_type}</Code> },
  {
    header: 'Delivery',
    cell: ({ status, last_status_code, last_error, next_attempt_at }) => (
      <>
        <Status
          tone={DELIVERY_TONES[status]}
          label={status === 'pending' && !isEnabled ? 'Held until enabled' : formatName(status)}
        />
        <div>{last_error ?? (last_status_code === null ? '' : `HTTP ${last_status_code}`)}</div>
        {status === 'pending' && isEnabled && next_attempt_at !== null && (
          <Text size="xs" c="dimmed">
            Next try <Moment at={next_attempt_at} />
          </Text>
        )}
      </>
    ),
    isLong: true,
  },
  { header: 'Tries', isNumeric: true, cell: ({ attempts }) => <Count of={attempts} /> },
  { header: 'When', cell: ({ created_at }) => <Moment at={created_at} /> },
  { header: 'Again', cell: (delivery) => <RedeliverButton delivery={delivery} /> },
];

/** Sends the same event once more. */
function RedeliverButton({ delivery }: { readonly delivery: Delivery }) {
  const redeliver = useRedeliver();
  return (
    <Button
      size="compact-xs"
      variant="default"
      loading={redeliver.isPending}
      aria-label={`Redeliver ${delivery.event_type}`}
      title={redeliver.error?.message}
      onClick={() => redeliver.mutate(delivery.id)}
    >
      {redeliver.error === null ? 'Redeliver' : 'Failed, again'}
    </Button>
  );
}
