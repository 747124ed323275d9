import type { AnyUser } from '../api/schemas';
import { formatName } from '../format/names';
import { Status } from './status';

/** Roles that somebody may be given in an account; operators are made otherwise. */
type RoleInAccount = 'member' | 'admin' | 'owner';

/** The roles as a choice, with what each may do. */
export const ROLES: { readonly value: RoleInAccount; readonly label: string }[] = [
  { value: 'member', label: 'Member: own keys, usage' },
  { value: 'admin', label: 'Admin: all keys, webhooks, team' },
  { value: 'owner', label: 'Owner: everything' },
];

/** Whether somebody may sign in. */
export function PersonStatus({ status }: Pick<AnyUser, 'status'>) {
  return <Status tone={status === 'active' ? 'good' : 'idle'} label={formatName(status)} />;
}
