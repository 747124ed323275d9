// Original file: tollgate/billing/v1/billing.proto


export interface BeginAnswerResponse {
  /**
   * Of the request that was answered first; empty when this one is to be answered now.
   */
  'requestId'?: (string);
  /**
   * A completion.v1.KeptAnswer; empty when this one is to be answered now.
   */
  'answer'?: (Buffer | Uint8Array | string);
}

export interface BeginAnswerResponse__Output {
  /**
   * Of the request that was answered first; empty when this one is to be answered now.
   */
  'requestId': (string);
  /**
   * A completion.v1.KeptAnswer; empty when this one is to be answered now.
   */
  'answer': (Buffer);
}
