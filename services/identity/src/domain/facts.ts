/**
 * What happened to a key or an account. A fact is written in the same document as the change it
 * tells of, and only afterwards announced (to gateways, to the audit, to the event bus), so that no
 * crash can lose one and none is told before it is true.
 */
export type KeyFactKind =
  | 'key.created'
  | 'key.updated'
  | 'key.rotated'
  | 'key.revoked'
  | 'key.expiring';

export interface KeyFact {
  /** Also the event's id, so that a repeated announcement can be recognised. */
  readonly id: string;
  readonly at: number;
  readonly kind: KeyFactKind;
  readonly name: string;
  /** Empty when the service itself acted. */
  readonly actorUserId: string;
  readonly actorKeyId: string;
  /** The settings that an update touched. */
  readonly fields: readonly string[];
  /** Of a revocation: the key is gone for good, not only switched off. */
  readonly deleted?: true;
}

export interface AccountFact {
  readonly id: string;
  readonly at: number;
  readonly kind: 'account.updated' | 'plan.changed';
  readonly plan: string;
  readonly previousPlan: string;
  readonly actorUserId: string;
}

/** One line of the audit of key operations. Holds no secret and no setting's value. */
export interface AuditEntry {
  readonly id: string;
  readonly at: number;
  readonly accountId: string;
  readonly keyId: string;
  readonly operation: KeyFactKind;
  readonly actorUserId: string;
  readonly actorKeyId: string;
  readonly fields: readonly string[];
}
