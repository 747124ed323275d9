// Original file: tollgate/billing/v1/billing.proto


export interface RevokeCodesResponse {
  'revoked'?: (number);
}

export interface RevokeCodesResponse__Output {
  'revoked': (number);
}
