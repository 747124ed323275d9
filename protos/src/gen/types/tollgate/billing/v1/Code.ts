// Original file: tollgate/billing/v1/billing.proto

import type { CodeStatus as _tollgate_billing_v1_CodeStatus, CodeStatus__Output as _tollgate_billing_v1_CodeStatus__Output } from '../../../tollgate/billing/v1/CodeStatus';
import type { Long } from '@grpc/proto-loader';

/**
 * A code as operators see it: never the text that redeems it.
 */
export interface Code {
  'id'?: (string);
  'batchId'?: (string);
  /**
   * The last characters of the text.
   */
  'preview'?: (string);
  'amount'?: (number | string | Long);
  'note'?: (string);
  'status'?: (_tollgate_billing_v1_CodeStatus);
  /**
   * Empty until it is redeemed.
   */
  'accountId'?: (string);
  /**
   * Of the redemption or of the revocation; empty before.
   */
  'endedAt'?: (string);
  /**
   * Empty when it does not expire.
   */
  'expiresAt'?: (string);
  'createdAt'?: (string);
  /**
   * Who made it, and who redeemed or revoked it; empty where that is not known.
   */
  'createdBy'?: (string);
  'endedBy'?: (string);
}

/**
 * A code as operators see it: never the text that redeems it.
 */
export interface Code__Output {
  'id': (string);
  'batchId': (string);
  /**
   * The last characters of the text.
   */
  'preview': (string);
  'amount': (string);
  'note': (string);
  'status': (_tollgate_billing_v1_CodeStatus__Output);
  /**
   * Empty until it is redeemed.
   */
  'accountId': (string);
  /**
   * Of the redemption or of the revocation; empty before.
   */
  'endedAt': (string);
  /**
   * Empty when it does not expire.
   */
  'expiresAt': (string);
  'createdAt': (string);
  /**
   * Who made it, and who redeemed or revoked it; empty where that is not known.
   */
  'createdBy': (string);
  'endedBy': (string);
}
