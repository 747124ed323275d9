// Original file: tollgate/identity/v1/identity.proto

import type { Session as _tollgate_identity_v1_Session, Session__Output as _tollgate_identity_v1_Session__Output } from '../../../tollgate/identity/v1/Session';

export interface ExchangeOAuthCodeResponse {
  'session'?: (_tollgate_identity_v1_Session | null);
}

export interface ExchangeOAuthCodeResponse__Output {
  'session': (_tollgate_identity_v1_Session__Output | null);
}
