// Original file: tollgate/identity/v1/identity.proto

import type { Actor as _tollgate_identity_v1_Actor, Actor__Output as _tollgate_identity_v1_Actor__Output } from '../../../tollgate/identity/v1/Actor';
import type { AccountStatus as _tollgate_identity_v1_AccountStatus, AccountStatus__Output as _tollgate_identity_v1_AccountStatus__Output } from '../../../tollgate/identity/v1/AccountStatus';
import type { StringList as _tollgate_identity_v1_StringList, StringList__Output as _tollgate_identity_v1_StringList__Output } from '../../../tollgate/identity/v1/StringList';

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
  '_name'?: "name";
  '_plan'?: "plan";
  '_status'?: "status";
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
  '_name'?: "name";
  '_plan'?: "plan";
  '_status'?: "status";
}
