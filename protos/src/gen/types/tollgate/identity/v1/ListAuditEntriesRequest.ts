// Original file: tollgate/identity/v1/identity.proto

import type { Actor as _tollgate_identity_v1_Actor, Actor__Output as _tollgate_identity_v1_Actor__Output } from '../../../tollgate/identity/v1/Actor';

export interface ListAuditEntriesRequest {
  'actor'?: (_tollgate_identity_v1_Actor | null);
  'limit'?: (number);
  'cursor'?: (string);
  /**
   * Empty members filter nothing. The actor is a user or a key.
   */
  'byActor'?: (string);
  'accountId'?: (string);
  'operation'?: (string);
  'resourceId'?: (string);
  /**
   * ISO-8601; start inclusive, end exclusive.
   */
  'start'?: (string);
  'end'?: (string);
}

export interface ListAuditEntriesRequest__Output {
  'actor': (_tollgate_identity_v1_Actor__Output | null);
  'limit': (number);
  'cursor': (string);
  /**
   * Empty members filter nothing. The actor is a user or a key.
   */
  'byActor': (string);
  'accountId': (string);
  'operation': (string);
  'resourceId': (string);
  /**
   * ISO-8601; start inclusive, end exclusive.
   */
  'start': (string);
  'end': (string);
}
