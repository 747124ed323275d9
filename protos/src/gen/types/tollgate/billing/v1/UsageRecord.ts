// Original file: tollgate/billing/v1/billing.proto

import type { UsageKind as _tollgate_billing_v1_UsageKind, UsageKind__Output as _tollgate_billing_v1_UsageKind__Output } from '../../../tollgate/billing/v1/UsageKind';
import type { KeyBudget as _tollgate_billing_v1_KeyBudget, KeyBudget__Output as _tollgate_billing_v1_KeyBudget__Output } from '../../../tollgate/billing/v1/KeyBudget';
import type { Long } from '@grpc/proto-loader';

export interface UsageRecord {
  'accountId'?: (string);
  'lease'?: (number);
  /**
   * Gapless from 1 within the lease.
   */
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
  /**
   * What was reserved for the request, and what it claims to cost.
   */
  'drawn'?: (number | string | Long);
  'amount'?: (number | string | Long);
  /**
   * exact, counted, partial, none.
   */
  'source'?: (string);
  /**
   * stop, length, content_filter, tool_calls, client_gone, vendor_gone, vendor_error, no_channel,
   * deadline, shutdown, crash, internal_error.
   */
  'reason'?: (string);
  /**
   * succeeded, failed.
   */
  'status'?: (string);
  'errorCode'?: (string);
  'stream'?: (boolean);
  'attempts'?: (number);
  'latencyMs'?: (number);
  'firstTokenMs'?: (number);
  'startedAt'?: (string);
  'vendorAbsorbed'?: (number | string | Long);
  'budget'?: (_tollgate_billing_v1_KeyBudget | null);
  /**
   * Absent is the price of the prompt.
   */
  'cacheWritePrice'?: (number | string | Long);
  'cacheWriteTokens'?: (number);
  'reasoningTokens'?: (number);
  /**
   * JSON: the calls of vendors that did not help, in their order. For operators.
   */
  'failedAttempts'?: (string);
  /**
   * What was left of its limits, as the headers of its answer said: rpm 59/60 rpd 999/1000.
   */
  'limitsLeft'?: (string);
  /**
   * Of the prompt's tokens, those of audio, and of the completion's.
   */
  'promptAudioTokens'?: (number);
  'completionAudioTokens'?: (number);
  /**
   * What was ignored of its body, by name, with blanks between; absent without any.
   */
  'ignoredMembers'?: (string);
  '_firstTokenMs'?: "firstTokenMs";
  '_cacheWritePrice'?: "cacheWritePrice";
  '_cacheWriteTokens'?: "cacheWriteTokens";
  '_reasoningTokens'?: "reasoningTokens";
  '_failedAttempts'?: "failedAttempts";
  '_limitsLeft'?: "limitsLeft";
  '_promptAudioTokens'?: "promptAudioTokens";
  '_completionAudioTokens'?: "completionAudioTokens";
  '_ignoredMembers'?: "ignoredMembers";
}

export interface UsageRecord__Output {
  'accountId': (string);
  'lease': (number);
  /**
   * Gapless from 1 within the lease.
   */
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
  /**
   * What was reserved for the request, and what it claims to cost.
   */
  'drawn': (string);
  'amount': (string);
  /**
   * exact, counted, partial, none.
   */
  'source': (string);
  /**
   * stop, length, content_filter, tool_calls, client_gone, vendor_gone, vendor_error, no_channel,
   * deadline, shutdown, crash, internal_error.
   */
  'reason': (string);
  /**
   * succeeded, failed.
   */
  'status': (string);
  'errorCode': (string);
  'stream': (boolean);
  'attempts': (number);
  'latencyMs': (number);
  'firstTokenMs'?: (number);
  'startedAt': (string);
  'vendorAbsorbed': (string);
  'budget': (_tollgate_billing_v1_KeyBudget__Output | null);
  /**
   * Absent is the price of the prompt.
   */
  'cacheWritePrice'?: (string);
  'cacheWriteTokens'?: (number);
  'reasoningTokens'?: (number);
  /**
   * JSON: the calls of vendors that did not help, in their order. For operators.
   */
  'failedAttempts'?: (string);
  /**
   * What was left of its limits, as the headers of its answer said: rpm 59/60 rpd 999/1000.
   */
  'limitsLeft'?: (string);
  /**
   * Of the prompt's tokens, those of audio, and of the completion's.
   */
  'promptAudioTokens'?: (number);
  'completionAudioTokens'?: (number);
  /**
   * What was ignored of its body, by name, with blanks between; absent without any.
   */
  'ignoredMembers'?: (string);
  '_firstTokenMs'?: "firstTokenMs";
  '_cacheWritePrice'?: "cacheWritePrice";
  '_cacheWriteTokens'?: "cacheWriteTokens";
  '_reasoningTokens'?: "reasoningTokens";
  '_failedAttempts'?: "failedAttempts";
  '_limitsLeft'?: "limitsLeft";
  '_promptAudioTokens'?: "promptAudioTokens";
  '_completionAudioTokens'?: "completionAudioTokens";
  '_ignoredMembers'?: "ignoredMembers";
}
