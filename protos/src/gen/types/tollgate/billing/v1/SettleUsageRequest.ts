// Original file: tollgate/billing/v1/billing.proto

import type { UsageRecord as _tollgate_billing_v1_UsageRecord, UsageRecord__Output as _tollgate_billing_v1_UsageRecord__Output } from '../../../tollgate/billing/v1/UsageRecord';

export interface SettleUsageRequest {
  'records'?: (_tollgate_billing_v1_UsageRecord)[];
}

export interface SettleUsageRequest__Output {
  'records': (_tollgate_billing_v1_UsageRecord__Output)[];
}
