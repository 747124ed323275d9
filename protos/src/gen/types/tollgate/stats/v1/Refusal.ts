// Original file: tollgate/stats/v1/stats.proto

import type { RefusedBearer as _tollgate_stats_v1_RefusedBearer, RefusedBearer__Output as _tollgate_stats_v1_RefusedBearer__Output } from '../../../tollgate/stats/v1/RefusedBearer';
import type { RejectedCandidate as _tollgate_stats_v1_RejectedCandidate, RejectedCandidate__Output as _tollgate_stats_v1_RejectedCandidate__Output } from '../../../tollgate/stats/v1/RejectedCandidate';

/**
 * A refused request: a completion that was refused before a vendor was asked, one to a wrong path, or one
 * whose key was refused.
 */
export interface Refusal {
  'requestId'?: (string);
  'accountId'?: (string);
  'keyId'?: (string);
  'gatewayId'?: (string);
  'errorCode'?: (string);
  /**
   * What the client was told.
   */
  'message'?: (string);
  'at'?: (string);
  /**
   * The member at fault; absent when none was.
   */
  'param'?: (string);
  'requestedModel'?: (string);
  /**
   * Of a request that was refused with 401; its account and key are empty when they are not known.
   */
  'bearer'?: (_tollgate_stats_v1_RefusedBearer | null);
  /**
   * Of a request that no channel could take.
   */
  'rejected'?: (_tollgate_stats_v1_RejectedCandidate)[];
  /**
   * The client's address: set for a 401, for a path that does not exist, and where the key's allowed_ips
   * forbid it.
   */
  'address'?: (string);
  /**
   * Of a request to a path that does not exist: its plain words.
   */
  'path'?: (string);
  '_param'?: "param";
  '_requestedModel'?: "requestedModel";
  '_address'?: "address";
  '_path'?: "path";
}

/**
 * A refused request: a completion that was refused before a vendor was asked, one to a wrong path, or one
 * whose key was refused.
 */
export interface Refusal__Output {
  'requestId': (string);
  'accountId': (string);
  'keyId': (string);
  'gatewayId': (string);
  'errorCode': (string);
  /**
   * What the client was told.
   */
  'message': (string);
  'at': (string);
  /**
   * The member at fault; absent when none was.
   */
  'param'?: (string);
  'requestedModel'?: (string);
  /**
   * Of a request that was refused with 401; its account and key are empty when they are not known.
   */
  'bearer': (_tollgate_stats_v1_RefusedBearer__Output | null);
  /**
   * Of a request that no channel could take.
   */
  'rejected': (_tollgate_stats_v1_RejectedCandidate__Output)[];
  /**
   * The client's address: set for a 401, for a path that does not exist, and where the key's allowed_ips
   * forbid it.
   */
  'address'?: (string);
  /**
   * Of a request to a path that does not exist: its plain words.
   */
  'path'?: (string);
  '_param'?: "param";
  '_requestedModel'?: "requestedModel";
  '_address'?: "address";
  '_path'?: "path";
}
