// Original file: tollgate/identity/v1/identity.proto

import type { AuditOutcome as _tollgate_identity_v1_AuditOutcome, AuditOutcome__Output as _tollgate_identity_v1_AuditOutcome__Output } from '../../../tollgate/identity/v1/AuditOutcome';

export interface EndAuditEntryRequest {
  'id'?: (string);
  /**
   * It was refused, or had been made by an earlier request: the entry goes.
   */
  'nothingDone'?: (boolean);
  'outcome'?: (_tollgate_identity_v1_AuditOutcome);
  'errorCode'?: (string);
  'afterJson'?: (string);
  /**
   * What is known only afterwards; empty keeps what the entry has.
   */
  'accountId'?: (string);
  'resourceId'?: (string);
}

export interface EndAuditEntryRequest__Output {
  'id': (string);
  /**
   * It was refused, or had been made by an earlier request: the entry goes.
   */
  'nothingDone': (boolean);
  'outcome': (_tollgate_identity_v1_AuditOutcome__Output);
  'errorCode': (string);
  'afterJson': (string);
  /**
   * What is known only afterwards; empty keeps what the entry has.
   */
  'accountId': (string);
  'resourceId': (string);
}
