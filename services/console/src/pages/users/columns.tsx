import type { AnyUser } from '../../api/schemas';
import type { Column } from '../../components/data-table';
import { Status } from '../../components/status';
import { Moment, Name } from '../../components/values';
import { formatName } from '../../format/names';

export function UserStatus({ status }: Pick<AnyUser, 'status'>) {
  return <Status tone={status === 'active' ? 'good' : 'idle'} label={formatName(status)} />;
}

/** A user of any account, under the account's name. */
export function userColumns(nameOf: (accountId: string) => string): readonly Column<AnyUser>[] {
  return [
    { header: 'Email', width: 'name', cell: ({ email }) => <Name of={email} /> },
    {
      header: 'Name',
      width: 'name',
      isMinor: true,
      cell: ({ display_name }) => <Name of={display_name} />,
    },
    {
      header: 'Account',
      width: 'name',
      cell: ({ account_id }) => <Name of={nameOf(account_id)} />,
    },
    { header: 'Role', cell: ({ role }) => formatName(role) },
    { header: 'Status', cell: ({ status }) => <UserStatus status={status} /> },
    { header: 'Created', isMinor: true, cell: ({ created_at }) => <Moment at={created_at} /> },
  ];
}
