// Original file: tollgate/identity/v1/identity.proto

import type { Session as _tollgate_identity_v1_Session, Session__Output as _tollgate_identity_v1_Session__Output } from '../../../tollgate/identity/v1/Session';

export interface CompleteOAuthResponse {
  'session'?: (_tollgate_identity_v1_Session | null);
  'oneTimeCode'?: (string);
  'redirectTo'?: (string);
}

export interface CompleteOAuthResponse__Output {
  'session': (_tollgate_identity_v1_Session__Output | null);
  'oneTimeCode': (string);
  'redirectTo': (string);
}
