import { createId } from '@tollgate/core';

/** In place of a user who is not known: a service by itself, or whoever holds the store. */
const SYSTEM_ACTOR = 'system';

/** One management write: who did what to which resource, when and from where. Holds no secret. */
export interface AuditLogEntry {
  readonly id: string;
  readonly atMs: number;
  /** Method and path as in the gateway's path table; the type of its event where a service acted. */
  readonly operation: string;
  /**
   * All three are empty where nobody was signed in, but for the user `system` where a service acted;
   * `actorKeyId` also where a token was shown.
   */
  readonly actorAccountId: string;
  readonly actorUserId: string;
  readonly actorKeyId: string;
  readonly operator: boolean;
  /** The account whose resource it is; empty for what belongs to the platform. */
  readonly accountId: string;
  readonly resourceType: string;
  readonly resourceId: string;
  readonly remoteAddress: string;
  readonly requestId: string;
  /** `unknown` from before the write until its end was written: a crash leaves it so. */
  readonly outcome: 'succeeded' | 'unknown';
  /** Why the outcome is unknown, where the gateway learnt it; empty otherwise. */
  readonly errorCode: string;
  /** JSON; empty where there is none. */
  readonly request: string;
  readonly before: string;
  readonly after: string;
}

/** What the system did, as far as one entry of it differs from another. */
export type SystemAct = Pick<
  AuditLogEntry,
  'atMs' | 'operation' | 'accountId' | 'resourceType' | 'resourceId'
> &
  Partial<Pick<AuditLogEntry, 'id' | 'operator' | 'before' | 'after'>>;

/** The entry of what nobody who is signed in did. */
export function systemEntry(act: SystemAct): AuditLogEntry {
  return {
    id: createId('auditEntry'),
    actorAccountId: '',
    actorUserId: SYSTEM_ACTOR,
    actorKeyId: '',
    operator: false,
    remoteAddress: '',
    requestId: '',
    outcome: 'succeeded',
    errorCode: '',
    request: '',
    before: '',
    after: '',
    ...act,
  };
}

/** How a write ended that was not refused. */
export interface AuditLogEnd {
  readonly succeeded: boolean;
  readonly errorCode: string;
  readonly after: string;
  /** Both empty where the entry knows them already. */
  readonly accountId: string;
  readonly resourceId: string;
}

/** Which entries are wanted; what is undefined filters nothing. */
export interface AuditLogFilter {
  /** The id of a user or of a key, or `system`. */
  readonly byActor: string | undefined;
  /** The account of the resource. */
  readonly accountId: string | undefined;
  readonly operation: string | undefined;
  readonly resourceId: string | undefined;
  /** Milliseconds since the epoch, inclusive. */
  readonly startAtMs: number | undefined;
  /** Exclusive. */
  readonly endAtMs: number | undefined;
}

const JSON_LENGTH_MAX = 64 * 1024;
const TOO_LONG = '{"truncated":true}';

/** The text, or a sign in its place where it is longer than an entry keeps. */
export function boundedJson(text: string): string {
  return text.length <= JSON_LENGTH_MAX ? text : TOO_LONG;
}
