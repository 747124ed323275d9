// Original file: tollgate/billing/v1/billing.proto

import type { KeyBudget as _tollgate_billing_v1_KeyBudget, KeyBudget__Output as _tollgate_billing_v1_KeyBudget__Output } from '../../../tollgate/billing/v1/KeyBudget';
import type { Long } from '@grpc/proto-loader';

export interface AcquireLeaseRequest {
  'accountId'?: (string);
  'holder'?: (string);
  'holderAddress'?: (string);
  'nonce'?: (string);
  'amount'?: (number | string | Long);
  'minimum'?: (number | string | Long);
  'keyBudget'?: (_tollgate_billing_v1_KeyBudget | null);
}

export interface AcquireLeaseRequest__Output {
  'accountId': (string);
  'holder': (string);
  'holderAddress': (string);
  'nonce': (string);
  'amount': (string);
  'minimum': (string);
  'keyBudget': (_tollgate_billing_v1_KeyBudget__Output | null);
}
