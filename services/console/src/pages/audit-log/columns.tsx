import { Code } from '@mantine/core';
import { useIntersection } from '@mantine/hooks';
import { useAuditLogWrite } from '../../api/audit-log';
import { useCurrency } from '../../api/billing';
import type { AuditLogEntry } from '../../api/schemas';
import type { Column } from '../../components/data-table';
import { Status } from '../../components/status';
import { AccountName } from '../../components/thing-links';
import { Moment, Written } from '../../components/values';
import { formatName } from '../../format/names';
import { NOTHING } from '../../format/quantity';
import classes from './audit-log.module.css';
import { type Change, describeWrite } from './changes';
import { describeOperation } from './describe-operation';

/** Who may be behind a write, by what people call them. */
export interface ActorNames {
  /** The email, or the id where it is not known. */
  readonly user: (id: string) => string;
  /** Only keys of the viewer's own account have a name here. */
  readonly key: (id: string) => string | undefined;
  /** The name of the thing that was written. */
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

/** Who wrote, where there is little room: ids of keys differ at their end. */
function nameActor(entry: AuditLogEntry, names: ActorNames) {
  const { kind, key_id } = entry.actor;
  if (kind !== 'api_key') return describeActor(entry, names);
  const id = key_id ?? '';
  const name = names.key(id);
  return <>API key {name === undefined ? <Code>…{id.slice(-8)}</Code> : `“${name}”`}</>;
}

/** A screen of rows around those that are shown, so that a row has its words before it is seen. */
const NEAR = '100% 0px';

/** The record of a write has the name and the change: it is read once the row is near. */
function What({ entry, names }: { readonly entry: AuditLogEntry; readonly names: ActorNames }) {
  const { id, operation, resource } = entry;
  const { ref, entry: place } = useIntersection<HTMLSpanElement>({ rootMargin: NEAR });
  const { data } = useAuditLogWrite(id, place?.isIntersecting ?? false);
  const currency = useCurrency();
  const known = names.resource(resource);
  const text =
    data === undefined
      ? describeOperation(operation, known)
      : describeWrite(operation, data, known, currency);
  return (
    <span ref={ref} className={classes.what} title={`${operation} ${resource.id ?? ''}`}>
      {text}
    </span>
  );
}

export const auditLogColumns = (names: ActorNames): readonly Column<AuditLogEntry>[] => [
  { header: 'When', atHead: 'right', cell: ({ at }) => <Moment at={at} form="clock" /> },
  {
    header: 'What',
    width: 'sentence',
    atHead: 'left',
    cell: (entry) => <What entry={entry} names={names} />,
  },
  {
    header: 'By',
    width: 'name',
    cell: (entry) => <span title={describeActor(entry, names)}>{nameActor(entry, names)}</span>,
  },
  {
    header: 'Account',
    width: 'name',
    cell: ({ account_id }) => (account_id === null ? NOTHING : <AccountName id={account_id} />),
  },
  { header: 'From', isMinor: true, cell: ({ address }) => <Code>{address}</Code> },
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
  { header: 'Field', cell: ({ name }) => name },
  { header: 'Before', width: 'name', isLong: true, cell: ({ before }) => <Written of={before} /> },
  { header: 'After', width: 'name', isLong: true, cell: ({ after }) => <Written of={after} /> },
];
