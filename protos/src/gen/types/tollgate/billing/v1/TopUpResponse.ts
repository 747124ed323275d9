// Original file: tollgate/billing/v1/billing.proto

import type { LedgerEntry as _tollgate_billing_v1_LedgerEntry, LedgerEntry__Output as _tollgate_billing_v1_LedgerEntry__Output } from '../../../tollgate/billing/v1/LedgerEntry';

export interface TopUpResponse {
  'entry'?: (_tollgate_billing_v1_LedgerEntry | null);
  'replayed'?: (boolean);
}

export interface TopUpResponse__Output {
  'entry': (_tollgate_billing_v1_LedgerEntry__Output | null);
  'replayed': (boolean);
}
