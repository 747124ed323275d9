import { Code } from '@mantine/core';
import type { AuditLogEntry } from '../../api/schemas';
import type { Column } from '../../components/data-table';
import { Status } from '../../components/status';
import { Moment } from '../../components/values';
import { formatName } from '../../format/names';
import type { Change } from './changes';
import { describeOperation } from './describe-operation';

/** Who may be behind a write, by what people call them. */
export interface ActorNames {
  /** The email, or the id where it is not known. */
  readonly user: (id: string) => string;
  /** Only keys of the viewer's own account have a name here. */
  readonly key: (id: string) => string | undefined;
  /** Of what was written. */
  readonly resource: (resource: AuditLogEntry['resource']) => string | undefined;
}

/** Who wrote: a person by the email where it is known, a program by its key. */
export function describeActor({ actor }: Pick<AuditLogEntry, 'actor'>, names: ActorNames): string {
  if (actor.kind === 'system') return 'Tollgate itself';
  if (actor.kind === 'api_key') {
    const id = actor.key_id ?? '';
    const name = names.key(id);
    return name === undefined ? `API key ${id}` : `API key “${name}”, ${id}`;
  }
  return actor.user_id === null ? 'Nobody signed in' : names.user(actor.user_id);
}

/** The same where there is little room: ids of keys differ at their end. */
function nameActor(entry: AuditLogEntry, names: ActorNames) {
  const { kind, key_id } = entry.actor;
  if (kind !== 'api_key') return describeActor(entry, names);
  const id = key_id ?? '';
  const name = names.key(id);
  return <>API key {name === undefined ? <Code>…{id.slice(-8)}</Code> : `“${name}”`}</>;
}

export const auditLogColumns = (names: ActorNames): readonly Column<AuditLogEntry>[] => [
  { header: 'When', cell: ({ at }) => <Moment at={at} /> },
  {
    header: 'What',
    cell: ({ operation, resource }) => {
      const name = names.resource(resource);
      return (
        <>
          <span title={`${operation} ${resource.id ?? ''}`}>
            {describeOperation(operation, name)}
          </span>
          {resource.id !== null && name === undefined && (
            <div>
              <Code>{resource.id}</Code>
            </div>
          )}
        </>
      );
    },
    isLong: true,
  },
  {
    header: 'By',
    width: 'name',
    cell: (entry) => <span title={describeActor(entry, names)}>{nameActor(entry, names)}</span>,
  },
  { header: 'From', cell: ({ address }) => <Code>{address}</Code> },
  {
    header: 'Outcome',
    cell: ({ outcome, error_code }) => (
      <Status
        tone={outcome === 'succeeded' ? 'good' : 'warn'}
        label={formatName(error_code?.toLowerCase() ?? outcome)}
      />
    ),
  },
];

export const changeColumns: readonly Column<Change>[] = [
  { header: 'Member', cell: ({ name }) => name },
  { header: 'Before', cell: ({ before }) => before, isLong: true },
  { header: 'After', cell: ({ after }) => after, isLong: true },
];
