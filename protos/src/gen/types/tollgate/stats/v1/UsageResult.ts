// Original file: tollgate/stats/v1/stats.proto

import type { GroupValue as _tollgate_stats_v1_GroupValue, GroupValue__Output as _tollgate_stats_v1_GroupValue__Output } from '../../../tollgate/stats/v1/GroupValue';
import type { UsageMetrics as _tollgate_stats_v1_UsageMetrics, UsageMetrics__Output as _tollgate_stats_v1_UsageMetrics__Output } from '../../../tollgate/stats/v1/UsageMetrics';

export interface UsageResult {
  'bucket'?: (string);
  'group'?: (_tollgate_stats_v1_GroupValue)[];
  'metrics'?: (_tollgate_stats_v1_UsageMetrics | null);
}

export interface UsageResult__Output {
  'bucket': (string);
  'group': (_tollgate_stats_v1_GroupValue__Output)[];
  'metrics': (_tollgate_stats_v1_UsageMetrics__Output | null);
}
