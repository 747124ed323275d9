import { Code, Text } from '@mantine/core';
import type { AuditLogEntry } from '../../api/schemas';
import type { Column } from '../../components/data-table';
import { Status, toWords } from '../../components/status';
import { Moment } from '../../components/values';
import type { Change } from './changes';
import { sayOperation } from './say-operation';

/** Who wrote: a person by the email where it is known, a program by its key. */
export function sayActor(
  { actor }: Pick<AuditLogEntry, 'actor'>,
  nameUser: (id: string) => string,
): string {
  if (actor.kind === 'api_key') return `API key ${actor.key_id ?? ''}`;
  if (actor.kind === 'system') return 'Tollgate itself';
  return actor.user_id === null ? 'Nobody signed in' : nameUser(actor.user_id);
}

/** The same where there is little room: ids of keys differ at their end. */
function nameActor(entry: AuditLogEntry, nameUser: (id: string) => string): string {
  const { kind, key_id } = entry.actor;
  return kind === 'api_key' ? `API key …${key_id?.slice(-8) ?? ''}` : sayActor(entry, nameUser);
}

export const auditLogColumns = (
  nameUser: (id: string) => string,
): readonly Column<AuditLogEntry>[] => [
  { header: 'When', cell: ({ at }) => <Moment at={at} /> },
  {
    header: 'What',
    cell: ({ operation, resource }) => (
      <>
        <span title={operation}>{sayOperation(operation)}</span>
        {resource.id !== null && (
          <Text size="xs" c="dimmed">
            {resource.id}
          </Text>
        )}
      </>
    ),
    isLong: true,
  },
  {
    header: 'By',
    cell: (entry) => <span title={sayActor(entry, nameUser)}>{nameActor(entry, nameUser)}</span>,
  },
  { header: 'From', isMinor: true, cell: ({ address }) => <Code>{address}</Code> },
  {
    header: 'Outcome',
    cell: ({ outcome, error_code }) => (
      <Status
        tone={outcome === 'succeeded' ? 'good' : 'warn'}
        label={toWords(error_code?.toLowerCase() ?? outcome)}
      />
    ),
  },
];

export const changeColumns: readonly Column<Change>[] = [
  { header: 'Member', cell: ({ name }) => name },
  { header: 'Before', cell: ({ before }) => before, isLong: true },
  { header: 'After', cell: ({ after }) => after, isLong: true },
];
