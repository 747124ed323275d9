// Original file: tollgate/billing/v1/billing.proto


export interface GetPlanRequest {
  'id'?: (string);
}

export interface GetPlanRequest__Output {
  'id': (string);
}
