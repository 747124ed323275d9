// Original file: tollgate/stats/v1/stats.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { GetRefusalRequest as _tollgate_stats_v1_GetRefusalRequest, GetRefusalRequest__Output as _tollgate_stats_v1_GetRefusalRequest__Output } from '../../../tollgate/stats/v1/GetRefusalRequest';
import type { GetRefusalResponse as _tollgate_stats_v1_GetRefusalResponse, GetRefusalResponse__Output as _tollgate_stats_v1_GetRefusalResponse__Output } from '../../../tollgate/stats/v1/GetRefusalResponse';
import type { ListRefusalsRequest as _tollgate_stats_v1_ListRefusalsRequest, ListRefusalsRequest__Output as _tollgate_stats_v1_ListRefusalsRequest__Output } from '../../../tollgate/stats/v1/ListRefusalsRequest';
import type { ListRefusalsResponse as _tollgate_stats_v1_ListRefusalsResponse, ListRefusalsResponse__Output as _tollgate_stats_v1_ListRefusalsResponse__Output } from '../../../tollgate/stats/v1/ListRefusalsResponse';
import type { QueryUsageRequest as _tollgate_stats_v1_QueryUsageRequest, QueryUsageRequest__Output as _tollgate_stats_v1_QueryUsageRequest__Output } from '../../../tollgate/stats/v1/QueryUsageRequest';
import type { QueryUsageResponse as _tollgate_stats_v1_QueryUsageResponse, QueryUsageResponse__Output as _tollgate_stats_v1_QueryUsageResponse__Output } from '../../../tollgate/stats/v1/QueryUsageResponse';

/**
 * Usage aggregates by time bucket and dimension, built from the ledger stream.
 */
export interface StatsServiceClient extends grpc.Client {
  /**
   * One of the refused requests of the last 24 hours that gateways remembered.
   */
  GetRefusal(argument: _tollgate_stats_v1_GetRefusalRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_stats_v1_GetRefusalResponse__Output>): grpc.ClientUnaryCall;
  GetRefusal(argument: _tollgate_stats_v1_GetRefusalRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tollgate_stats_v1_GetRefusalResponse__Output>): grpc.ClientUnaryCall;
  GetRefusal(argument: _tollgate_stats_v1_GetRefusalRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_stats_v1_GetRefusalResponse__Output>): grpc.ClientUnaryCall;
  GetRefusal(argument: _tollgate_stats_v1_GetRefusalRequest, callback: grpc.requestCallback<_tollgate_stats_v1_GetRefusalResponse__Output>): grpc.ClientUnaryCall;
  /**
   * One of the refused requests of the last 24 hours that gateways remembered.
   */
  getRefusal(argument: _tollgate_stats_v1_GetRefusalRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_stats_v1_GetRefusalResponse__Output>): grpc.ClientUnaryCall;
  getRefusal(argument: _tollgate_stats_v1_GetRefusalRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tollgate_stats_v1_GetRefusalResponse__Output>): grpc.ClientUnaryCall;
  getRefusal(argument: _tollgate_stats_v1_GetRefusalRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_stats_v1_GetRefusalResponse__Output>): grpc.ClientUnaryCall;
  getRefusal(argument: _tollgate_stats_v1_GetRefusalRequest, callback: grpc.requestCallback<_tollgate_stats_v1_GetRefusalResponse__Output>): grpc.ClientUnaryCall;
  
  /**
   * The same of one account or of all, newest first.
   */
  ListRefusals(argument: _tollgate_stats_v1_ListRefusalsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_stats_v1_ListRefusalsResponse__Output>): grpc.ClientUnaryCall;
  ListRefusals(argument: _tollgate_stats_v1_ListRefusalsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tollgate_stats_v1_ListRefusalsResponse__Output>): grpc.ClientUnaryCall;
  ListRefusals(argument: _tollgate_stats_v1_ListRefusalsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_stats_v1_ListRefusalsResponse__Output>): grpc.ClientUnaryCall;
  ListRefusals(argument: _tollgate_stats_v1_ListRefusalsRequest, callback: grpc.requestCallback<_tollgate_stats_v1_ListRefusalsResponse__Output>): grpc.ClientUnaryCall;
  /**
   * The same of one account or of all, newest first.
   */
  listRefusals(argument: _tollgate_stats_v1_ListRefusalsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_stats_v1_ListRefusalsResponse__Output>): grpc.ClientUnaryCall;
  listRefusals(argument: _tollgate_stats_v1_ListRefusalsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tollgate_stats_v1_ListRefusalsResponse__Output>): grpc.ClientUnaryCall;
  listRefusals(argument: _tollgate_stats_v1_ListRefusalsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_stats_v1_ListRefusalsResponse__Output>): grpc.ClientUnaryCall;
  listRefusals(argument: _tollgate_stats_v1_ListRefusalsRequest, callback: grpc.requestCallback<_tollgate_stats_v1_ListRefusalsResponse__Output>): grpc.ClientUnaryCall;
  
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
  /**
   * One of the refused requests of the last 24 hours that gateways remembered.
   */
  GetRefusal: grpc.handleUnaryCall<_tollgate_stats_v1_GetRefusalRequest__Output, _tollgate_stats_v1_GetRefusalResponse>;
  
  /**
   * The same of one account or of all, newest first.
   */
  ListRefusals: grpc.handleUnaryCall<_tollgate_stats_v1_ListRefusalsRequest__Output, _tollgate_stats_v1_ListRefusalsResponse>;
  
  QueryUsage: grpc.handleUnaryCall<_tollgate_stats_v1_QueryUsageRequest__Output, _tollgate_stats_v1_QueryUsageResponse>;
  
}

export interface StatsServiceDefinition extends grpc.ServiceDefinition {
  GetRefusal: MethodDefinition<_tollgate_stats_v1_GetRefusalRequest, _tollgate_stats_v1_GetRefusalResponse, _tollgate_stats_v1_GetRefusalRequest__Output, _tollgate_stats_v1_GetRefusalResponse__Output>
  ListRefusals: MethodDefinition<_tollgate_stats_v1_ListRefusalsRequest, _tollgate_stats_v1_ListRefusalsResponse, _tollgate_stats_v1_ListRefusalsRequest__Output, _tollgate_stats_v1_ListRefusalsResponse__Output>
  QueryUsage: MethodDefinition<_tollgate_stats_v1_QueryUsageRequest, _tollgate_stats_v1_QueryUsageResponse, _tollgate_stats_v1_QueryUsageRequest__Output, _tollgate_stats_v1_QueryUsageResponse__Output>
}
