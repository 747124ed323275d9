// Original file: tollgate/billing/v1/billing.proto


export interface RevokeCodesRequest {
  /**
   * Of a code or of a batch.
   */
  'id'?: (string);
  /**
   * The user or the API key that asked for it; empty where nobody is known.
   */
  'actorId'?: (string);
}

export interface RevokeCodesRequest__Output {
  /**
   * Of a code or of a batch.
   */
  'id': (string);
  /**
   * The user or the API key that asked for it; empty where nobody is known.
   */
  'actorId': (string);
}
