// Original file: tollgate/identity/v1/identity.proto

import type { Actor as _tollgate_identity_v1_Actor, Actor__Output as _tollgate_identity_v1_Actor__Output } from '../../../tollgate/identity/v1/Actor';
import type { AccountStatus as _tollgate_identity_v1_AccountStatus, AccountStatus__Output as _tollgate_identity_v1_AccountStatus__Output } from '../../../tollgate/identity/v1/AccountStatus';
import type { StringList as _tollgate_identity_v1_StringList, StringList__Output as _tollgate_identity_v1_StringList__Output } from '../../../tollgate/identity/v1/StringList';
import type { AccountLimits as _tollgate_identity_v1_AccountLimits, AccountLimits__Output as _tollgate_identity_v1_AccountLimits__Output } from '../../../tollgate/identity/v1/AccountLimits';

export interface UpdateAccountRequest {
  'actor'?: (_tollgate_identity_v1_Actor | null);
  'accountId'?: (string);
  'name'?: (string);
  'plan'?: (string);
  'status'?: (_tollgate_identity_v1_AccountStatus);
  /**
   * Takes the place of the granted channel groups; absent keeps them.
   */
  'groups'?: (_tollgate_identity_v1_StringList | null);
  /**
   * Each takes the place of what the account had of it; absent keeps it.
   */
  'limits'?: (_tollgate_identity_v1_AccountLimits | null);
  'models'?: (_tollgate_identity_v1_StringList | null);
  'discount'?: (number);
  '_name'?: "name";
  '_plan'?: "plan";
  '_status'?: "status";
  '_discount'?: "discount";
}

export interface UpdateAccountRequest__Output {
  'actor': (_tollgate_identity_v1_Actor__Output | null);
  'accountId': (string);
  'name'?: (string);
  'plan'?: (string);
  'status'?: (_tollgate_identity_v1_AccountStatus__Output);
  /**
   * Takes the place of the granted channel groups; absent keeps them.
   */
  'groups': (_tollgate_identity_v1_StringList__Output | null);
  /**
   * Each takes the place of what the account had of it; absent keeps it.
   */
  'limits': (_tollgate_identity_v1_AccountLimits__Output | null);
  'models': (_tollgate_identity_v1_StringList__Output | null);
  'discount'?: (number);
  '_name'?: "name";
  '_plan'?: "plan";
  '_status'?: "status";
  '_discount'?: "discount";
}
