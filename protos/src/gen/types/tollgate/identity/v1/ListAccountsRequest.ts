// Original file: tollgate/identity/v1/identity.proto

import type { Actor as _tollgate_identity_v1_Actor, Actor__Output as _tollgate_identity_v1_Actor__Output } from '../../../tollgate/identity/v1/Actor';
import type { AccountStatus as _tollgate_identity_v1_AccountStatus, AccountStatus__Output as _tollgate_identity_v1_AccountStatus__Output } from '../../../tollgate/identity/v1/AccountStatus';

export interface ListAccountsRequest {
  'actor'?: (_tollgate_identity_v1_Actor | null);
  'limit'?: (number);
  'cursor'?: (string);
  /**
   * How names begin, in upper or lower case; empty is any. The page is in their order then.
   */
  'name'?: (string);
  /**
   * The whole address of a person of the account; empty is any.
   */
  'email'?: (string);
  /**
   * Unspecified is any.
   */
  'status'?: (_tollgate_identity_v1_AccountStatus);
}

export interface ListAccountsRequest__Output {
  'actor': (_tollgate_identity_v1_Actor__Output | null);
  'limit': (number);
  'cursor': (string);
  /**
   * How names begin, in upper or lower case; empty is any. The page is in their order then.
   */
  'name': (string);
  /**
   * The whole address of a person of the account; empty is any.
   */
  'email': (string);
  /**
   * Unspecified is any.
   */
  'status': (_tollgate_identity_v1_AccountStatus__Output);
}
