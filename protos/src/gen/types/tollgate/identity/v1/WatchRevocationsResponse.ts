// Original file: tollgate/identity/v1/identity.proto

import type { RevokedPrincipal as _tollgate_identity_v1_RevokedPrincipal, RevokedPrincipal__Output as _tollgate_identity_v1_RevokedPrincipal__Output } from '../../../tollgate/identity/v1/RevokedPrincipal';
import type { Long } from '@grpc/proto-loader';

/**
 * A frame without changes is a heartbeat (at least once a second).
 */
export interface WatchRevocationsResponse {
  'revision'?: (number | string | Long);
  'changes'?: (_tollgate_identity_v1_RevokedPrincipal)[];
  /**
   * The server no longer has the deltas: the follower must forget every cached principal.
   */
  'reset'?: (boolean);
}

/**
 * A frame without changes is a heartbeat (at least once a second).
 */
export interface WatchRevocationsResponse__Output {
  'revision': (string);
  'changes': (_tollgate_identity_v1_RevokedPrincipal__Output)[];
  /**
   * The server no longer has the deltas: the follower must forget every cached principal.
   */
  'reset': (boolean);
}
