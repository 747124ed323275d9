// Original file: tollgate/billing/v1/billing.proto


export interface GetAnswerResponse {
  'writing'?: (Buffer | Uint8Array | string);
  'answer'?: (Buffer | Uint8Array | string);
}

export interface GetAnswerResponse__Output {
  'writing': (Buffer);
  'answer': (Buffer);
}
