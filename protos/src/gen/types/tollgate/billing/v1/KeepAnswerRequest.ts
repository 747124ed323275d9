// Original file: tollgate/billing/v1/billing.proto


export interface KeepAnswerRequest {
  'accountId'?: (string);
  'requestId'?: (string);
  /**
   * A completion.v1.KeptAnswer; empty when it was too large to be kept.
   */
  'answer'?: (Buffer | Uint8Array | string);
}

export interface KeepAnswerRequest__Output {
  'accountId': (string);
  'requestId': (string);
  /**
   * A completion.v1.KeptAnswer; empty when it was too large to be kept.
   */
  'answer': (Buffer);
}
