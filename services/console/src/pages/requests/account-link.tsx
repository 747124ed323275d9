import { Anchor } from '@mantine/core';
import { Link } from 'wouter';
import { useAccount } from '../../api/accounts';

/** An account by its name, which leads to it. */
export function AccountLink({ id }: { readonly id: string }) {
  const { data } = useAccount(id);
  return (
    <Anchor component={Link} href={`/operator/accounts?open=${id}`} inherit>
      {data?.name ?? id}
    </Anchor>
  );
}
