// Original file: tollgate/stats/v1/stats.proto

import type { Refusal as _tollgate_stats_v1_Refusal, Refusal__Output as _tollgate_stats_v1_Refusal__Output } from '../../../tollgate/stats/v1/Refusal';

export interface ListRefusalsResponse {
  'refusals'?: (_tollgate_stats_v1_Refusal)[];
  /**
   * Where the next page begins; empty when there is no more.
   */
  'nextBeforeRequestId'?: (string);
}

export interface ListRefusalsResponse__Output {
  'refusals': (_tollgate_stats_v1_Refusal__Output)[];
  /**
   * Where the next page begins; empty when there is no more.
   */
  'nextBeforeRequestId': (string);
}
