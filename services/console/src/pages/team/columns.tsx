import type { Member } from '../../api/schemas';
import type { Column } from '../../components/data-table';
import { PersonStatus } from '../../components/person';
import { Moment, Name } from '../../components/values';
import { formatName } from '../../format/names';

/** Somebody who may sign in. */
export const memberColumns: readonly Column<Member>[] = [
  { header: 'Email', width: 'name', cell: ({ email }) => <Name of={email} /> },
  { header: 'Name', width: 'name', cell: ({ display_name }) => <Name of={display_name} /> },
  { header: 'Role', cell: ({ role }) => formatName(role) },
  {
    header: 'Status',
    cell: ({ status }) => <PersonStatus status={status} />,
  },
  { header: 'Joined', isMinor: true, cell: ({ created_at }) => <Moment at={created_at} /> },
];
