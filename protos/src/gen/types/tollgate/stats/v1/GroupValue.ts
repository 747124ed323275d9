// Original file: tollgate/stats/v1/stats.proto

import type { Dimension as _tollgate_stats_v1_Dimension, Dimension__Output as _tollgate_stats_v1_Dimension__Output } from '../../../tollgate/stats/v1/Dimension';

export interface GroupValue {
  'dimension'?: (_tollgate_stats_v1_Dimension);
  'value'?: (string);
}

export interface GroupValue__Output {
  'dimension': (_tollgate_stats_v1_Dimension__Output);
  'value': (string);
}
