import type { AnyUser } from '../../api/schemas';
import type { Column } from '../../components/data-table';
import { PersonStatus } from '../../components/person';
import { AccountName } from '../../components/thing-links';
import { Moment, Name } from '../../components/values';
import { formatName } from '../../format/names';

/** A user of any account, under the account's name. */
export const userColumns: readonly Column<AnyUser>[] = [
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
    cell: ({ account_id }) => <AccountName id={account_id} />,
  },
  { header: 'Role', cell: ({ role }) => formatName(role) },
  { header: 'Status', cell: ({ status }) => <PersonStatus status={status} /> },
  { header: 'Created', isMinor: true, cell: ({ created_at }) => <Moment at={created_at} /> },
];
