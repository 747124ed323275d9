// Original file: tollgate/identity/v1/identity.proto

import type { AccountStatus as _tollgate_identity_v1_AccountStatus, AccountStatus__Output as _tollgate_identity_v1_AccountStatus__Output } from '../../../tollgate/identity/v1/AccountStatus';
import type { AccountTerms as _tollgate_identity_v1_AccountTerms, AccountTerms__Output as _tollgate_identity_v1_AccountTerms__Output } from '../../../tollgate/identity/v1/AccountTerms';

export interface Account {
  'id'?: (string);
  'name'?: (string);
  'plan'?: (string);
  'status'?: (_tollgate_identity_v1_AccountStatus);
  'createdAt'?: (string);
  'updatedAt'?: (string);
  /**
   * Channel groups that the operator granted, besides the open ones.
   */
  'groups'?: (string)[];
  'terms'?: (_tollgate_identity_v1_AccountTerms | null);
}

export interface Account__Output {
  'id': (string);
  'name': (string);
  'plan': (string);
  'status': (_tollgate_identity_v1_AccountStatus__Output);
  'createdAt': (string);
  'updatedAt': (string);
  /**
   * Channel groups that the operator granted, besides the open ones.
   */
  'groups': (string)[];
  'terms': (_tollgate_identity_v1_AccountTerms__Output | null);
}
