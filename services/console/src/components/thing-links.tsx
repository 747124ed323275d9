import { Anchor } from '@mantine/core';
import { useInViewport } from '@mantine/hooks';
import { Link } from 'wouter';
import { useAccountName } from '../api/accounts';
import { useChannelName } from '../api/channels';
import { useKeys } from '../api/keys';
import { Identifier } from './copy';
import { Name } from './values';

/** The name of an account in a list; its id until the name is known. */
export function AccountName({ id }: { readonly id: string }) {
  const { ref, inViewport } = useInViewport<HTMLSpanElement>();
  return <Name ref={ref} of={useAccountName(id, inViewport) ?? id} />;
}

/** An account by its name, which leads to it. */
export function AccountLink({ id }: { readonly id: string }) {
  const name = useAccountName(id);
  return (
    <Anchor component={Link} href={`/operator/accounts?open=${id}`} inherit>
      {name ?? id}
    </Anchor>
  );
}

/** The name of a channel in a list; its id until the name is known. */
export function ChannelName({ id }: { readonly id: string }) {
  const { ref, inViewport } = useInViewport<HTMLSpanElement>();
  const { name = id, isDeleted } = useChannelName(id, inViewport);
  return <Name ref={ref} of={isDeleted ? `Deleted: ${name}` : name} />;
}

/** A channel by its name; of one that was deleted the audit log tells what it was. */
export function ChannelLink({ id }: { readonly id: string }) {
  const { name, isDeleted } = useChannelName(id);
  if (isDeleted) {
    return (
      <>
        {name ?? <Identifier id={id} />},{' '}
        <Anchor component={Link} href={`/operator/audit-log?resource=${id}`} inherit>
          which was deleted
        </Anchor>
      </>
    );
  }
  if (name === undefined) return <Identifier id={id} />;
  return (
    <Anchor component={Link} href={`/operator/channels?open=${id}`} inherit>
      {name}
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
