import type * as grpc from '@grpc/grpc-js';
import type { EnumTypeDefinition, MessageTypeDefinition } from '@grpc/proto-loader';

import type { GroupValue as _tollgate_stats_v1_GroupValue, GroupValue__Output as _tollgate_stats_v1_GroupValue__Output } from './tollgate/stats/v1/GroupValue';
import type { Percentiles as _tollgate_stats_v1_Percentiles, Percentiles__Output as _tollgate_stats_v1_Percentiles__Output } from './tollgate/stats/v1/Percentiles';
import type { QueryUsageRequest as _tollgate_stats_v1_QueryUsageRequest, QueryUsageRequest__Output as _tollgate_stats_v1_QueryUsageRequest__Output } from './tollgate/stats/v1/QueryUsageRequest';
import type { QueryUsageResponse as _tollgate_stats_v1_QueryUsageResponse, QueryUsageResponse__Output as _tollgate_stats_v1_QueryUsageResponse__Output } from './tollgate/stats/v1/QueryUsageResponse';
import type { StatsServiceClient as _tollgate_stats_v1_StatsServiceClient, StatsServiceDefinition as _tollgate_stats_v1_StatsServiceDefinition } from './tollgate/stats/v1/StatsService';
import type { UsageMetrics as _tollgate_stats_v1_UsageMetrics, UsageMetrics__Output as _tollgate_stats_v1_UsageMetrics__Output } from './tollgate/stats/v1/UsageMetrics';
import type { UsageResult as _tollgate_stats_v1_UsageResult, UsageResult__Output as _tollgate_stats_v1_UsageResult__Output } from './tollgate/stats/v1/UsageResult';

type SubtypeConstructor<Constructor extends new (...args: any) => any, Subtype> = {
  new(...args: ConstructorParameters<Constructor>): Subtype;
};

export interface ProtoGrpcType {
  tollgate: {
    stats: {
      v1: {
        Dimension: EnumTypeDefinition
        GroupValue: MessageTypeDefinition<_tollgate_stats_v1_GroupValue, _tollgate_stats_v1_GroupValue__Output>
        Interval: EnumTypeDefinition
        Percentiles: MessageTypeDefinition<_tollgate_stats_v1_Percentiles, _tollgate_stats_v1_Percentiles__Output>
        QueryUsageRequest: MessageTypeDefinition<_tollgate_stats_v1_QueryUsageRequest, _tollgate_stats_v1_QueryUsageRequest__Output>
        QueryUsageResponse: MessageTypeDefinition<_tollgate_stats_v1_QueryUsageResponse, _tollgate_stats_v1_QueryUsageResponse__Output>
        /**
         * Usage aggregates by time bucket and dimension, built from the ledger stream.
         */
        StatsService: SubtypeConstructor<typeof grpc.Client, _tollgate_stats_v1_StatsServiceClient> & { service: _tollgate_stats_v1_StatsServiceDefinition }
        UsageMetrics: MessageTypeDefinition<_tollgate_stats_v1_UsageMetrics, _tollgate_stats_v1_UsageMetrics__Output>
        UsageResult: MessageTypeDefinition<_tollgate_stats_v1_UsageResult, _tollgate_stats_v1_UsageResult__Output>
      }
    }
  }
}

