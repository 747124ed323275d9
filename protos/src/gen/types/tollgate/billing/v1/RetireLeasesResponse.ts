// Original file: tollgate/billing/v1/billing.proto


export interface RetireLeasesResponse {
  'retired'?: (number);
}

export interface RetireLeasesResponse__Output {
  'retired': (number);
}
