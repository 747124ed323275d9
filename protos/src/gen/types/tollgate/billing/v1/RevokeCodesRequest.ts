// Original file: tollgate/billing/v1/billing.proto


export interface RevokeCodesRequest {
  /**
   * Of a code or of a batch.
   */
  'id'?: (string);
}

export interface RevokeCodesRequest__Output {
  /**
   * Of a code or of a batch.
   */
  'id': (string);
}
