// Original file: tollgate/billing/v1/billing.proto

import type { UsageKind as _tollgate_billing_v1_UsageKind, UsageKind__Output as _tollgate_billing_v1_UsageKind__Output } from '../../../tollgate/billing/v1/UsageKind';
import type { KeyBudget as _tollgate_billing_v1_KeyBudget, KeyBudget__Output as _tollgate_billing_v1_KeyBudget__Output } from '../../../tollgate/billing/v1/KeyBudget';
import type { Long } from '@grpc/proto-loader';

export interface UsageRecord {
  'accountId'?: (string);
  'lease'?: (number);
  'number'?: (number);
  'kind'?: (_tollgate_billing_v1_UsageKind);
  'holder'?: (string);
  'epoch'?: (number);
  'endedAt'?: (string);
  'requestId'?: (string);
  'clientRequestId'?: (string);
  'keyId'?: (string);
  'userId'?: (string);
  'model'?: (string);
  'requestedModel'?: (string);
  'channelId'?: (string);
  'ownChannel'?: (boolean);
  'priceVersion'?: (number);
  'promptPrice'?: (number | string | Long);
  'completionPrice'?: (number | string | Long);
  'cachedPromptPrice'?: (number | string | Long);
  'promptTokens'?: (number);
  'completionTokens'?: (number);
  'cachedTokens'?: (number);
  'drawn'?: (number | string | Long);
  'amount'?: (number | string | Long);
  'source'?: (string);
  'reason'?: (string);
  'status'?: (string);
  'errorCode'?: (string);
  'stream'?: (boolean);
  'attempts'?: (number);
  'latencyMs'?: (number);
  'firstTokenMs'?: (number);
  'startedAt'?: (string);
  'vendorAbsorbed'?: (number | string | Long);
  'budget'?: (_tollgate_billing_v1_KeyBudget | null);
  '_firstTokenMs'?: "firstTokenMs";
}

export interface UsageRecord__Output {
  'accountId': (string);
  'lease': (number);
  'number': (number);
  'kind': (_tollgate_billing_v1_UsageKind__Output);
  'holder': (string);
  'epoch': (number);
  'endedAt': (string);
  'requestId': (string);
  'clientRequestId': (string);
  'keyId': (string);
  'userId': (string);
  'model': (string);
  'requestedModel': (string);
  'channelId': (string);
  'ownChannel': (boolean);
  'priceVersion': (number);
  'promptPrice': (string);
  'completionPrice': (string);
  'cachedPromptPrice': (string);
  'promptTokens': (number);
  'completionTokens': (number);
  'cachedTokens': (number);
  'drawn': (string);
  'amount': (string);
  'source': (string);
  'reason': (string);
  'status': (string);
  'errorCode': (string);
  'stream': (boolean);
  'attempts': (number);
  'latencyMs': (number);
  'firstTokenMs'?: (number);
  'startedAt': (string);
  'vendorAbsorbed': (string);
  'budget': (_tollgate_billing_v1_KeyBudget__Output | null);
  '_firstTokenMs'?: "firstTokenMs";
}
