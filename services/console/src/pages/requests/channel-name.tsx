import { Anchor } from '@mantine/core';
import { Link } from 'wouter';
import { useChannels } from '../../api/channels';
import { Identifier } from '../../components/copy';

/** A channel that was deleted since has no name any more. */
export function ChannelName({ id }: { readonly id: string }) {
  const channels = useChannels();
  const channel = channels.data?.find((one) => one.id === id);
  if (channel === undefined) return <Identifier id={id} />;
  return (
    <Anchor component={Link} href={`/operator/channels?open=${id}`} inherit>
      {channel.name}
    </Anchor>
  );
}
