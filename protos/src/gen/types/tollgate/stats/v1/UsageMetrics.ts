// Original file: tollgate/stats/v1/stats.proto

import type { Percentiles as _tollgate_stats_v1_Percentiles, Percentiles__Output as _tollgate_stats_v1_Percentiles__Output } from '../../../tollgate/stats/v1/Percentiles';
import type { Long } from '@grpc/proto-loader';

export interface UsageMetrics {
  'requests'?: (number | string | Long);
  'successfulRequests'?: (number | string | Long);
  'failedRequests'?: (number | string | Long);
  'rateLimitedRequests'?: (number | string | Long);
  'promptTokens'?: (number | string | Long);
  'completionTokens'?: (number | string | Long);
  'cachedTokens'?: (number | string | Long);
  'totalTokens'?: (number | string | Long);
  /**
   * Nano-units.
   */
  'spend'?: (number | string | Long);
  /**
   * Of requests that were answered; in rows by status, of all of them. Absent without any. Grouped by
   * channel: without requests that waited for another channel before.
   */
  'latencyMs'?: (_tollgate_stats_v1_Percentiles | null);
  /**
   * Of streams that began, failed ones too.
   */
  'firstTokenMs'?: (_tollgate_stats_v1_Percentiles | null);
  /**
   * Of the prompt, what vendors put into their caches.
   */
  'cacheWriteTokens'?: (number | string | Long);
  /**
   * Of the completion, what was thought.
   */
  'reasoningTokens'?: (number | string | Long);
  /**
   * Of the failed requests, those whose client closed the connection.
   */
  'clientGoneRequests'?: (number | string | Long);
  /**
   * Of the prompt, what was audio, and of the completion.
   */
  'promptAudioTokens'?: (number | string | Long);
  'completionAudioTokens'?: (number | string | Long);
  /**
   * Of the failed requests, those whose vendor did not answer in time.
   */
  'timedOutRequests'?: (number | string | Long);
  /**
   * Of the failed requests, those that a vendor found wrong.
   */
  'invalidRequests'?: (number | string | Long);
}

export interface UsageMetrics__Output {
  'requests': (string);
  'successfulRequests': (string);
  'failedRequests': (string);
  'rateLimitedRequests': (string);
  'promptTokens': (string);
  'completionTokens': (string);
  'cachedTokens': (string);
  'totalTokens': (string);
  /**
   * Nano-units.
   */
  'spend': (string);
  /**
   * Of requests that were answered; in rows by status, of all of them. Absent without any. Grouped by
   * channel: without requests that waited for another channel before.
   */
  'latencyMs': (_tollgate_stats_v1_Percentiles__Output | null);
  /**
   * Of streams that began, failed ones too.
   */
  'firstTokenMs': (_tollgate_stats_v1_Percentiles__Output | null);
  /**
   * Of the prompt, what vendors put into their caches.
   */
  'cacheWriteTokens': (string);
  /**
   * Of the completion, what was thought.
   */
  'reasoningTokens': (string);
  /**
   * Of the failed requests, those whose client closed the connection.
   */
  'clientGoneRequests': (string);
  /**
   * Of the prompt, what was audio, and of the completion.
   */
  'promptAudioTokens': (string);
  'completionAudioTokens': (string);
  /**
   * Of the failed requests, those whose vendor did not answer in time.
   */
  'timedOutRequests': (string);
  /**
   * Of the failed requests, those that a vendor found wrong.
   */
  'invalidRequests': (string);
}
