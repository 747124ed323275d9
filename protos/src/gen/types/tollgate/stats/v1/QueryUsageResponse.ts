// Original file: tollgate/stats/v1/stats.proto

import type { UsageResult as _tollgate_stats_v1_UsageResult, UsageResult__Output as _tollgate_stats_v1_UsageResult__Output } from '../../../tollgate/stats/v1/UsageResult';
import type { UsageMetrics as _tollgate_stats_v1_UsageMetrics, UsageMetrics__Output as _tollgate_stats_v1_UsageMetrics__Output } from '../../../tollgate/stats/v1/UsageMetrics';

export interface QueryUsageResponse {
  'results'?: (_tollgate_stats_v1_UsageResult)[];
  'totals'?: (_tollgate_stats_v1_UsageMetrics | null);
  /**
   * When the newest entry that is included was posted. Of one account all before it is included; of
   * several, one whose entries wait may be behind.
   */
  'asOf'?: (string);
}

export interface QueryUsageResponse__Output {
  'results': (_tollgate_stats_v1_UsageResult__Output)[];
  'totals': (_tollgate_stats_v1_UsageMetrics__Output | null);
  /**
   * When the newest entry that is included was posted. Of one account all before it is included; of
   * several, one whose entries wait may be behind.
   */
  'asOf': (string);
}
