// Original file: tollgate/stats/v1/stats.proto

import type { Interval as _tollgate_stats_v1_Interval, Interval__Output as _tollgate_stats_v1_Interval__Output } from '../../../tollgate/stats/v1/Interval';
import type { Dimension as _tollgate_stats_v1_Dimension, Dimension__Output as _tollgate_stats_v1_Dimension__Output } from '../../../tollgate/stats/v1/Dimension';

export interface QueryUsageRequest {
  /**
   * Empty for all accounts: operators only.
   */
  'accountId'?: (string);
  /**
   * ISO-8601; start inclusive, end exclusive.
   */
  'start'?: (string);
  'end'?: (string);
  'interval'?: (_tollgate_stats_v1_Interval);
  'groupBy'?: (_tollgate_stats_v1_Dimension)[];
  'models'?: (string)[];
  'keyIds'?: (string)[];
  'operator'?: (boolean);
  /**
   * Only so many groups, those with the most failed and refused requests, the worst first: each is
   * one row of the whole range. 0 for every row.
   */
  'worst'?: (number);
  /**
   * Where account_id is empty, only of these, at most 50: operators only. Empty for all accounts.
   */
  'accountIds'?: (string)[];
}

export interface QueryUsageRequest__Output {
  /**
   * Empty for all accounts: operators only.
   */
  'accountId': (string);
  /**
   * ISO-8601; start inclusive, end exclusive.
   */
  'start': (string);
  'end': (string);
  'interval': (_tollgate_stats_v1_Interval__Output);
  'groupBy': (_tollgate_stats_v1_Dimension__Output)[];
  'models': (string)[];
  'keyIds': (string)[];
  'operator': (boolean);
  /**
   * Only so many groups, those with the most failed and refused requests, the worst first: each is
   * one row of the whole range. 0 for every row.
   */
  'worst': (number);
  /**
   * Where account_id is empty, only of these, at most 50: operators only. Empty for all accounts.
   */
  'accountIds': (string)[];
}
