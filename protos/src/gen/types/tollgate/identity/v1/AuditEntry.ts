// Original file: tollgate/identity/v1/identity.proto

import type { AuditOutcome as _tollgate_identity_v1_AuditOutcome, AuditOutcome__Output as _tollgate_identity_v1_AuditOutcome__Output } from '../../../tollgate/identity/v1/AuditOutcome';

/**
 * One management write. No secret is in any member.
 */
export interface AuditEntry {
  'id'?: (string);
  'at'?: (string);
  /**
   * Method and path as in the route table, such as "PATCH /v1/keys/{id}".
   */
  'operation'?: (string);
  /**
   * Empty where nobody was signed in.
   */
  'actorAccountId'?: (string);
  'actorUserId'?: (string);
  /**
   * Empty for an access token.
   */
  'actorKeyId'?: (string);
  'operator'?: (boolean);
  /**
   * The account whose resource it is; empty for what belongs to the platform.
   */
  'accountId'?: (string);
  'resourceType'?: (string);
  'resourceId'?: (string);
  'remoteAddress'?: (string);
  'requestId'?: (string);
  'outcome'?: (_tollgate_identity_v1_AuditOutcome);
  /**
   * Why the outcome is unknown, where the gateway learnt it.
   */
  'errorCode'?: (string);
  /**
   * What was sent; the resource as it was just before; what was answered. Empty where there is none.
   */
  'requestJson'?: (string);
  'beforeJson'?: (string);
  'afterJson'?: (string);
}

/**
 * One management write. No secret is in any member.
 */
export interface AuditEntry__Output {
  'id': (string);
  'at': (string);
  /**
   * Method and path as in the route table, such as "PATCH /v1/keys/{id}".
   */
  'operation': (string);
  /**
   * Empty where nobody was signed in.
   */
  'actorAccountId': (string);
  'actorUserId': (string);
  /**
   * Empty for an access token.
   */
  'actorKeyId': (string);
  'operator': (boolean);
  /**
   * The account whose resource it is; empty for what belongs to the platform.
   */
  'accountId': (string);
  'resourceType': (string);
  'resourceId': (string);
  'remoteAddress': (string);
  'requestId': (string);
  'outcome': (_tollgate_identity_v1_AuditOutcome__Output);
  /**
   * Why the outcome is unknown, where the gateway learnt it.
   */
  'errorCode': (string);
  /**
   * What was sent; the resource as it was just before; what was answered. Empty where there is none.
   */
  'requestJson': (string);
  'beforeJson': (string);
  'afterJson': (string);
}
