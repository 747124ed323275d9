// Original file: tollgate/stats/v1/stats.proto

import type { Refusal as _tollgate_stats_v1_Refusal, Refusal__Output as _tollgate_stats_v1_Refusal__Output } from '../../../tollgate/stats/v1/Refusal';

export interface GetRefusalResponse {
  'refusal'?: (_tollgate_stats_v1_Refusal | null);
}

export interface GetRefusalResponse__Output {
  'refusal': (_tollgate_stats_v1_Refusal__Output | null);
}
