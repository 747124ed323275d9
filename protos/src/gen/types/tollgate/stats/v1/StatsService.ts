// Original file: tollgate/stats/v1/stats.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { QueryUsageRequest as _tollgate_stats_v1_QueryUsageRequest, QueryUsageRequest__Output as _tollgate_stats_v1_QueryUsageRequest__Output } from '../../../tollgate/stats/v1/QueryUsageRequest';
import type { QueryUsageResponse as _tollgate_stats_v1_QueryUsageResponse, QueryUsageResponse__Output as _tollgate_stats_v1_QueryUsageResponse__Output } from '../../../tollgate/stats/v1/QueryUsageResponse';

/**
 * Usage aggregates by time bucket and dimension, built from the ledger stream.
 */
export interface StatsServiceClient extends grpc.Client {
  QueryUsage(argument: _tollgate_stats_v1_QueryUsageRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_stats_v1_QueryUsageResponse__Output>): grpc.ClientUnaryCall;
  QueryUsage(argument: _tollgate_stats_v1_QueryUsageRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tollgate_stats_v1_QueryUsageResponse__Output>): grpc.ClientUnaryCall;
  QueryUsage(argument: _tollgate_stats_v1_QueryUsageRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_stats_v1_QueryUsageResponse__Output>): grpc.ClientUnaryCall;
  QueryUsage(argument: _tollgate_stats_v1_QueryUsageRequest, callback: grpc.requestCallback<_tollgate_stats_v1_QueryUsageResponse__Output>): grpc.ClientUnaryCall;
  queryUsage(argument: _tollgate_stats_v1_QueryUsageRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_stats_v1_QueryUsageResponse__Output>): grpc.ClientUnaryCall;
  queryUsage(argument: _tollgate_stats_v1_QueryUsageRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tollgate_stats_v1_QueryUsageResponse__Output>): grpc.ClientUnaryCall;
  queryUsage(argument: _tollgate_stats_v1_QueryUsageRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_stats_v1_QueryUsageResponse__Output>): grpc.ClientUnaryCall;
  queryUsage(argument: _tollgate_stats_v1_QueryUsageRequest, callback: grpc.requestCallback<_tollgate_stats_v1_QueryUsageResponse__Output>): grpc.ClientUnaryCall;
  
}

/**
 * Usage aggregates by time bucket and dimension, built from the ledger stream.
 */
export interface StatsServiceHandlers extends grpc.UntypedServiceImplementation {
  QueryUsage: grpc.handleUnaryCall<_tollgate_stats_v1_QueryUsageRequest__Output, _tollgate_stats_v1_QueryUsageResponse>;
  
}

export interface StatsServiceDefinition extends grpc.ServiceDefinition {
  QueryUsage: MethodDefinition<_tollgate_stats_v1_QueryUsageRequest, _tollgate_stats_v1_QueryUsageResponse, _tollgate_stats_v1_QueryUsageRequest__Output, _tollgate_stats_v1_QueryUsageResponse__Output>
}
