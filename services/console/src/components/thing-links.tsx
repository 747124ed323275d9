import { Anchor } from '@mantine/core';
import { Link } from 'wouter';
import { useAccount } from '../api/accounts';
import { useChannels } from '../api/channels';
import { useKeys } from '../api/keys';
import { Identifier } from './copy';

/** An account by its name, which leads to it. */
export function AccountLink({ id }: { readonly id: string }) {
  const { data } = useAccount(id);
  return (
    <Anchor component={Link} href={`/operator/accounts?open=${id}`} inherit>
      {data?.name ?? id}
    </Anchor>
  );
}

/** A channel by its name; one that was deleted since has none any more. */
export function ChannelLink({ id }: { readonly id: string }) {
  const channels = useChannels();
  const channel = channels.data?.find((one) => one.id === id);
  if (channel === undefined) return <Identifier id={id} />;
  return (
    <Anchor component={Link} href={`/operator/channels?open=${id}`} inherit>
      {channel.name}
    </Anchor>
  );
}

/** The viewer's own key leads to where its rights are changed; another has the name that is known. */
export function KeyLink(props: { readonly id: string; readonly known?: string | undefined }) {
  const { id, known } = props;
  const own = useKeys().data?.find((one) => one.id === id);
  if (own === undefined) return known ?? <Identifier id={id} />;
  return (
    <Anchor component={Link} href={`/keys?open=${id}`} inherit underline="always">
      {own.name}
    </Anchor>
  );
}
