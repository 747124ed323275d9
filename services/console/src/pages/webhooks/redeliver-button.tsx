import { Button } from '@mantine/core';
import type { Delivery } from '../../api/schemas';
import { useRedeliver } from '../../api/webhooks';

/** Sends the same event once more. */
export function RedeliverButton({ delivery }: { readonly delivery: Delivery }) {
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
