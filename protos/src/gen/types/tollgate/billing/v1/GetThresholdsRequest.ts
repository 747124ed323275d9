// Original file: tollgate/billing/v1/billing.proto


export interface GetThresholdsRequest {
  'accountId'?: (string);
}

export interface GetThresholdsRequest__Output {
  'accountId': (string);
}
