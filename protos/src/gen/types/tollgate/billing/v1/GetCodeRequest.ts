// Original file: tollgate/billing/v1/billing.proto


export interface GetCodeRequest {
  'id'?: (string);
}

export interface GetCodeRequest__Output {
  'id': (string);
}
