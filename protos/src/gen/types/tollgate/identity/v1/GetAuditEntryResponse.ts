// Original file: tollgate/identity/v1/identity.proto

import type { AuditEntry as _tollgate_identity_v1_AuditEntry, AuditEntry__Output as _tollgate_identity_v1_AuditEntry__Output } from '../../../tollgate/identity/v1/AuditEntry';

export interface GetAuditEntryResponse {
  'entry'?: (_tollgate_identity_v1_AuditEntry | null);
}

export interface GetAuditEntryResponse__Output {
  'entry': (_tollgate_identity_v1_AuditEntry__Output | null);
}
