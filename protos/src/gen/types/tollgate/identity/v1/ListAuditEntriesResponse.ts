// Original file: tollgate/identity/v1/identity.proto

import type { AuditEntry as _tollgate_identity_v1_AuditEntry, AuditEntry__Output as _tollgate_identity_v1_AuditEntry__Output } from '../../../tollgate/identity/v1/AuditEntry';

export interface ListAuditEntriesResponse {
  'entries'?: (_tollgate_identity_v1_AuditEntry)[];
  'nextCursor'?: (string);
}

export interface ListAuditEntriesResponse__Output {
  'entries': (_tollgate_identity_v1_AuditEntry__Output)[];
  'nextCursor': (string);
}
