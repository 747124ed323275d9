import { createId } from '@tollgate/core';
import type { Actor } from './actor';

/**
 * What happened to keys and accounts. An event is written in the same document as the change that
 * it tells of, and only then relayed (to gateways and to the event bus), so that no
 * crash can lose one and none is told before it is true.
 */
export type KeyEventKind =
  | 'key.created'
  | 'key.updated'
  | 'key.rotated'
  | 'key.revoked'
  | 'key.expiring';

/** As it waits in the key's outbox; `at` is milliseconds since the epoch. */
export interface KeyEvent {
  /** Also the id of what is published, so that a repetition can be recognised. */
  readonly id: string;
  readonly at: number;
  readonly kind: KeyEventKind;
  readonly name: string;
  /** Empty when the service itself acted. */
  readonly actorUserId: string;
  /** Of a revocation: the key is gone for good, not only switched off. */
  readonly deleted?: true;
}

/** Who changed a key or an account and when, for the event that the change records. */
export interface ChangeSource {
  /** Of the event. */
  readonly id: string;
  readonly atMs: number;
  /** Undefined when the service itself acts. */
  readonly actor: Pick<Actor, 'userId'> | undefined;
}

export function changeBy(actor: ChangeSource['actor'], atMs: number): ChangeSource {
  return { id: createId('event'), atMs, actor };
}

/** Whether gateways have to forget the key: not when it was only created, or is about to expire. */
export function keyEventChangesPrincipal({ kind }: KeyEvent): boolean {
  return kind !== 'key.created' && kind !== 'key.expiring';
}

/** As it waits in the account's outbox; `at` as of a key's. */
export interface AccountEvent {
  readonly id: string;
  readonly at: number;
  readonly kind: 'account.created' | 'account.updated' | 'account.erased' | 'plan.changed';
  readonly plan: string;
  readonly previousPlan: string;
  readonly actorUserId: string;
}

/** Whether gateways have to forget the account: not when it was only created. */
export function accountEventChangesPrincipals({ kind }: AccountEvent): boolean {
  return kind !== 'account.created';
}

/** An event of a key or an account, with whose it is. */
export type RecordedEvent =
  | (KeyEvent & { readonly accountId: string; readonly keyId: string })
  | (AccountEvent & { readonly accountId: string });
