import { useRevokeKey } from '../../api/keys';
import type { ApiKey } from '../../api/schemas';
import { useUsage } from '../../api/stats';
import { questionOf } from '../../charts/range';
import { Danger } from '../../components/danger';
import { describeKeyUse } from './describe-key';

/** Says what would fail without the key. */
export function KeyUse({ apiKey }: { readonly apiKey: ApiKey }) {
  const day = useUsage({ ...questionOf('24h', Date.now()), key_id: apiKey.id });
  // Figures that stand in for those to come may be of another key.
  const requests = day.isPlaceholderData ? undefined : day.data?.totals.requests;
  return <>{describeKeyUse(apiKey.last_used_at, requests, Date.now())}</>;
}

/** Revoking cannot be undone: the name of the key has to be typed. */
export function RevokeKey(props: {
  readonly apiKey: ApiKey;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly onGone: () => void;
}) {
  const { apiKey } = props;
  const revoke = useRevokeKey(apiKey.id);
  return (
    <Danger
      isOpen={props.isOpen}
      title={`Revoke the API key “${apiKey.name}”`}
      verb="Revoke key"
      typed={apiKey.name}
      isBusy={revoke.isPending}
      error={revoke.error}
      onClose={props.onClose}
      onConfirm={() => revoke.mutate(undefined, { onSuccess: props.onGone })}
    >
      It stops working at once and cannot be brought back. <KeyUse apiKey={apiKey} />
    </Danger>
  );
}
