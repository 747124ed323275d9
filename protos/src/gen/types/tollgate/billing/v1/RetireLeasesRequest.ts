// Original file: tollgate/billing/v1/billing.proto


export interface RetireLeasesRequest {
  'holder'?: (string);
}

export interface RetireLeasesRequest__Output {
  'holder': (string);
}
