// Original file: tollgate/routing/v1/routing.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { CheckChannelHealthRequest as _tollgate_routing_v1_CheckChannelHealthRequest, CheckChannelHealthRequest__Output as _tollgate_routing_v1_CheckChannelHealthRequest__Output } from '../../../tollgate/routing/v1/CheckChannelHealthRequest';
import type { CheckChannelHealthResponse as _tollgate_routing_v1_CheckChannelHealthResponse, CheckChannelHealthResponse__Output as _tollgate_routing_v1_CheckChannelHealthResponse__Output } from '../../../tollgate/routing/v1/CheckChannelHealthResponse';
import type { CreateChannelRequest as _tollgate_routing_v1_CreateChannelRequest, CreateChannelRequest__Output as _tollgate_routing_v1_CreateChannelRequest__Output } from '../../../tollgate/routing/v1/CreateChannelRequest';
import type { CreateChannelResponse as _tollgate_routing_v1_CreateChannelResponse, CreateChannelResponse__Output as _tollgate_routing_v1_CreateChannelResponse__Output } from '../../../tollgate/routing/v1/CreateChannelResponse';
import type { DeleteChannelRequest as _tollgate_routing_v1_DeleteChannelRequest, DeleteChannelRequest__Output as _tollgate_routing_v1_DeleteChannelRequest__Output } from '../../../tollgate/routing/v1/DeleteChannelRequest';
import type { DeleteChannelResponse as _tollgate_routing_v1_DeleteChannelResponse, DeleteChannelResponse__Output as _tollgate_routing_v1_DeleteChannelResponse__Output } from '../../../tollgate/routing/v1/DeleteChannelResponse';
import type { DeleteModelRequest as _tollgate_routing_v1_DeleteModelRequest, DeleteModelRequest__Output as _tollgate_routing_v1_DeleteModelRequest__Output } from '../../../tollgate/routing/v1/DeleteModelRequest';
import type { DeleteModelResponse as _tollgate_routing_v1_DeleteModelResponse, DeleteModelResponse__Output as _tollgate_routing_v1_DeleteModelResponse__Output } from '../../../tollgate/routing/v1/DeleteModelResponse';
import type { DiscoverModelsRequest as _tollgate_routing_v1_DiscoverModelsRequest, DiscoverModelsRequest__Output as _tollgate_routing_v1_DiscoverModelsRequest__Output } from '../../../tollgate/routing/v1/DiscoverModelsRequest';
import type { DiscoverModelsResponse as _tollgate_routing_v1_DiscoverModelsResponse, DiscoverModelsResponse__Output as _tollgate_routing_v1_DiscoverModelsResponse__Output } from '../../../tollgate/routing/v1/DiscoverModelsResponse';
import type { GetChannelRequest as _tollgate_routing_v1_GetChannelRequest, GetChannelRequest__Output as _tollgate_routing_v1_GetChannelRequest__Output } from '../../../tollgate/routing/v1/GetChannelRequest';
import type { GetChannelResponse as _tollgate_routing_v1_GetChannelResponse, GetChannelResponse__Output as _tollgate_routing_v1_GetChannelResponse__Output } from '../../../tollgate/routing/v1/GetChannelResponse';
import type { ListChannelsRequest as _tollgate_routing_v1_ListChannelsRequest, ListChannelsRequest__Output as _tollgate_routing_v1_ListChannelsRequest__Output } from '../../../tollgate/routing/v1/ListChannelsRequest';
import type { ListChannelsResponse as _tollgate_routing_v1_ListChannelsResponse, ListChannelsResponse__Output as _tollgate_routing_v1_ListChannelsResponse__Output } from '../../../tollgate/routing/v1/ListChannelsResponse';
import type { ListModelsRequest as _tollgate_routing_v1_ListModelsRequest, ListModelsRequest__Output as _tollgate_routing_v1_ListModelsRequest__Output } from '../../../tollgate/routing/v1/ListModelsRequest';
import type { ListModelsResponse as _tollgate_routing_v1_ListModelsResponse, ListModelsResponse__Output as _tollgate_routing_v1_ListModelsResponse__Output } from '../../../tollgate/routing/v1/ListModelsResponse';
import type { PutModelRequest as _tollgate_routing_v1_PutModelRequest, PutModelRequest__Output as _tollgate_routing_v1_PutModelRequest__Output } from '../../../tollgate/routing/v1/PutModelRequest';
import type { PutModelResponse as _tollgate_routing_v1_PutModelResponse, PutModelResponse__Output as _tollgate_routing_v1_PutModelResponse__Output } from '../../../tollgate/routing/v1/PutModelResponse';
import type { ReportOutcomesRequest as _tollgate_routing_v1_ReportOutcomesRequest, ReportOutcomesRequest__Output as _tollgate_routing_v1_ReportOutcomesRequest__Output } from '../../../tollgate/routing/v1/ReportOutcomesRequest';
import type { ReportOutcomesResponse as _tollgate_routing_v1_ReportOutcomesResponse, ReportOutcomesResponse__Output as _tollgate_routing_v1_ReportOutcomesResponse__Output } from '../../../tollgate/routing/v1/ReportOutcomesResponse';
import type { UpdateChannelRequest as _tollgate_routing_v1_UpdateChannelRequest, UpdateChannelRequest__Output as _tollgate_routing_v1_UpdateChannelRequest__Output } from '../../../tollgate/routing/v1/UpdateChannelRequest';
import type { UpdateChannelResponse as _tollgate_routing_v1_UpdateChannelResponse, UpdateChannelResponse__Output as _tollgate_routing_v1_UpdateChannelResponse__Output } from '../../../tollgate/routing/v1/UpdateChannelResponse';
import type { WatchRouteTableRequest as _tollgate_routing_v1_WatchRouteTableRequest, WatchRouteTableRequest__Output as _tollgate_routing_v1_WatchRouteTableRequest__Output } from '../../../tollgate/routing/v1/WatchRouteTableRequest';
import type { WatchRouteTableResponse as _tollgate_routing_v1_WatchRouteTableResponse, WatchRouteTableResponse__Output as _tollgate_routing_v1_WatchRouteTableResponse__Output } from '../../../tollgate/routing/v1/WatchRouteTableResponse';

/**
 * Channels, the model catalogue with versioned prices, and the route table pushed to completion.
 */
export interface RoutingServiceClient extends grpc.Client {
  CheckChannelHealth(argument: _tollgate_routing_v1_CheckChannelHealthRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_routing_v1_CheckChannelHealthResponse__Output>): grpc.ClientUnaryCall;
  CheckChannelHealth(argument: _tollgate_routing_v1_CheckChannelHealthRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tollgate_routing_v1_CheckChannelHealthResponse__Output>): grpc.ClientUnaryCall;
  CheckChannelHealth(argument: _tollgate_routing_v1_CheckChannelHealthRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_routing_v1_CheckChannelHealthResponse__Output>): grpc.ClientUnaryCall;
  CheckChannelHealth(argument: _tollgate_routing_v1_CheckChannelHealthRequest, callback: grpc.requestCallback<_tollgate_routing_v1_CheckChannelHealthResponse__Output>): grpc.ClientUnaryCall;
  checkChannelHealth(argument: _tollgate_routing_v1_CheckChannelHealthRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_routing_v1_CheckChannelHealthResponse__Output>): grpc.ClientUnaryCall;
  checkChannelHealth(argument: _tollgate_routing_v1_CheckChannelHealthRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tollgate_routing_v1_CheckChannelHealthResponse__Output>): grpc.ClientUnaryCall;
  checkChannelHealth(argument: _tollgate_routing_v1_CheckChannelHealthRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_routing_v1_CheckChannelHealthResponse__Output>): grpc.ClientUnaryCall;
  checkChannelHealth(argument: _tollgate_routing_v1_CheckChannelHealthRequest, callback: grpc.requestCallback<_tollgate_routing_v1_CheckChannelHealthResponse__Output>): grpc.ClientUnaryCall;
  
  CreateChannel(argument: _tollgate_routing_v1_CreateChannelRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_routing_v1_CreateChannelResponse__Output>): grpc.ClientUnaryCall;
  CreateChannel(argument: _tollgate_routing_v1_CreateChannelRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tollgate_routing_v1_CreateChannelResponse__Output>): grpc.ClientUnaryCall;
  CreateChannel(argument: _tollgate_routing_v1_CreateChannelRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_routing_v1_CreateChannelResponse__Output>): grpc.ClientUnaryCall;
  CreateChannel(argument: _tollgate_routing_v1_CreateChannelRequest, callback: grpc.requestCallback<_tollgate_routing_v1_CreateChannelResponse__Output>): grpc.ClientUnaryCall;
  createChannel(argument: _tollgate_routing_v1_CreateChannelRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_routing_v1_CreateChannelResponse__Output>): grpc.ClientUnaryCall;
  createChannel(argument: _tollgate_routing_v1_CreateChannelRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tollgate_routing_v1_CreateChannelResponse__Output>): grpc.ClientUnaryCall;
  createChannel(argument: _tollgate_routing_v1_CreateChannelRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_routing_v1_CreateChannelResponse__Output>): grpc.ClientUnaryCall;
  createChannel(argument: _tollgate_routing_v1_CreateChannelRequest, callback: grpc.requestCallback<_tollgate_routing_v1_CreateChannelResponse__Output>): grpc.ClientUnaryCall;
  
  DeleteChannel(argument: _tollgate_routing_v1_DeleteChannelRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_routing_v1_DeleteChannelResponse__Output>): grpc.ClientUnaryCall;
  DeleteChannel(argument: _tollgate_routing_v1_DeleteChannelRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tollgate_routing_v1_DeleteChannelResponse__Output>): grpc.ClientUnaryCall;
  DeleteChannel(argument: _tollgate_routing_v1_DeleteChannelRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_routing_v1_DeleteChannelResponse__Output>): grpc.ClientUnaryCall;
  DeleteChannel(argument: _tollgate_routing_v1_DeleteChannelRequest, callback: grpc.requestCallback<_tollgate_routing_v1_DeleteChannelResponse__Output>): grpc.ClientUnaryCall;
  deleteChannel(argument: _tollgate_routing_v1_DeleteChannelRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_routing_v1_DeleteChannelResponse__Output>): grpc.ClientUnaryCall;
  deleteChannel(argument: _tollgate_routing_v1_DeleteChannelRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tollgate_routing_v1_DeleteChannelResponse__Output>): grpc.ClientUnaryCall;
  deleteChannel(argument: _tollgate_routing_v1_DeleteChannelRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_routing_v1_DeleteChannelResponse__Output>): grpc.ClientUnaryCall;
  deleteChannel(argument: _tollgate_routing_v1_DeleteChannelRequest, callback: grpc.requestCallback<_tollgate_routing_v1_DeleteChannelResponse__Output>): grpc.ClientUnaryCall;
  
  DeleteModel(argument: _tollgate_routing_v1_DeleteModelRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_routing_v1_DeleteModelResponse__Output>): grpc.ClientUnaryCall;
  DeleteModel(argument: _tollgate_routing_v1_DeleteModelRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tollgate_routing_v1_DeleteModelResponse__Output>): grpc.ClientUnaryCall;
  DeleteModel(argument: _tollgate_routing_v1_DeleteModelRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_routing_v1_DeleteModelResponse__Output>): grpc.ClientUnaryCall;
  DeleteModel(argument: _tollgate_routing_v1_DeleteModelRequest, callback: grpc.requestCallback<_tollgate_routing_v1_DeleteModelResponse__Output>): grpc.ClientUnaryCall;
  deleteModel(argument: _tollgate_routing_v1_DeleteModelRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_routing_v1_DeleteModelResponse__Output>): grpc.ClientUnaryCall;
  deleteModel(argument: _tollgate_routing_v1_DeleteModelRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tollgate_routing_v1_DeleteModelResponse__Output>): grpc.ClientUnaryCall;
  deleteModel(argument: _tollgate_routing_v1_DeleteModelRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_routing_v1_DeleteModelResponse__Output>): grpc.ClientUnaryCall;
  deleteModel(argument: _tollgate_routing_v1_DeleteModelRequest, callback: grpc.requestCallback<_tollgate_routing_v1_DeleteModelResponse__Output>): grpc.ClientUnaryCall;
  
  /**
   * A vendor's own list of models, before there is a channel; nothing is kept of it.
   */
  DiscoverModels(argument: _tollgate_routing_v1_DiscoverModelsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_routing_v1_DiscoverModelsResponse__Output>): grpc.ClientUnaryCall;
  DiscoverModels(argument: _tollgate_routing_v1_DiscoverModelsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tollgate_routing_v1_DiscoverModelsResponse__Output>): grpc.ClientUnaryCall;
  DiscoverModels(argument: _tollgate_routing_v1_DiscoverModelsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_routing_v1_DiscoverModelsResponse__Output>): grpc.ClientUnaryCall;
  DiscoverModels(argument: _tollgate_routing_v1_DiscoverModelsRequest, callback: grpc.requestCallback<_tollgate_routing_v1_DiscoverModelsResponse__Output>): grpc.ClientUnaryCall;
  /**
   * A vendor's own list of models, before there is a channel; nothing is kept of it.
   */
  discoverModels(argument: _tollgate_routing_v1_DiscoverModelsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_routing_v1_DiscoverModelsResponse__Output>): grpc.ClientUnaryCall;
  discoverModels(argument: _tollgate_routing_v1_DiscoverModelsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tollgate_routing_v1_DiscoverModelsResponse__Output>): grpc.ClientUnaryCall;
  discoverModels(argument: _tollgate_routing_v1_DiscoverModelsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_routing_v1_DiscoverModelsResponse__Output>): grpc.ClientUnaryCall;
  discoverModels(argument: _tollgate_routing_v1_DiscoverModelsRequest, callback: grpc.requestCallback<_tollgate_routing_v1_DiscoverModelsResponse__Output>): grpc.ClientUnaryCall;
  
  GetChannel(argument: _tollgate_routing_v1_GetChannelRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_routing_v1_GetChannelResponse__Output>): grpc.ClientUnaryCall;
  GetChannel(argument: _tollgate_routing_v1_GetChannelRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tollgate_routing_v1_GetChannelResponse__Output>): grpc.ClientUnaryCall;
  GetChannel(argument: _tollgate_routing_v1_GetChannelRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_routing_v1_GetChannelResponse__Output>): grpc.ClientUnaryCall;
  GetChannel(argument: _tollgate_routing_v1_GetChannelRequest, callback: grpc.requestCallback<_tollgate_routing_v1_GetChannelResponse__Output>): grpc.ClientUnaryCall;
  
  ListChannels(argument: _tollgate_routing_v1_ListChannelsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_routing_v1_ListChannelsResponse__Output>): grpc.ClientUnaryCall;
  ListChannels(argument: _tollgate_routing_v1_ListChannelsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tollgate_routing_v1_ListChannelsResponse__Output>): grpc.ClientUnaryCall;
  ListChannels(argument: _tollgate_routing_v1_ListChannelsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_routing_v1_ListChannelsResponse__Output>): grpc.ClientUnaryCall;
  ListChannels(argument: _tollgate_routing_v1_ListChannelsRequest, callback: grpc.requestCallback<_tollgate_routing_v1_ListChannelsResponse__Output>): grpc.ClientUnaryCall;
  listChannels(argument: _tollgate_routing_v1_ListChannelsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_routing_v1_ListChannelsResponse__Output>): grpc.ClientUnaryCall;
  listChannels(argument: _tollgate_routing_v1_ListChannelsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tollgate_routing_v1_ListChannelsResponse__Output>): grpc.ClientUnaryCall;
  listChannels(argument: _tollgate_routing_v1_ListChannelsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_routing_v1_ListChannelsResponse__Output>): grpc.ClientUnaryCall;
  listChannels(argument: _tollgate_routing_v1_ListChannelsRequest, callback: grpc.requestCallback<_tollgate_routing_v1_ListChannelsResponse__Output>): grpc.ClientUnaryCall;
  
  ListModels(argument: _tollgate_routing_v1_ListModelsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_routing_v1_ListModelsResponse__Output>): grpc.ClientUnaryCall;
  ListModels(argument: _tollgate_routing_v1_ListModelsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tollgate_routing_v1_ListModelsResponse__Output>): grpc.ClientUnaryCall;
  ListModels(argument: _tollgate_routing_v1_ListModelsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_routing_v1_ListModelsResponse__Output>): grpc.ClientUnaryCall;
  ListModels(argument: _tollgate_routing_v1_ListModelsRequest, callback: grpc.requestCallback<_tollgate_routing_v1_ListModelsResponse__Output>): grpc.ClientUnaryCall;
  listModels(argument: _tollgate_routing_v1_ListModelsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_routing_v1_ListModelsResponse__Output>): grpc.ClientUnaryCall;
  listModels(argument: _tollgate_routing_v1_ListModelsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tollgate_routing_v1_ListModelsResponse__Output>): grpc.ClientUnaryCall;
  listModels(argument: _tollgate_routing_v1_ListModelsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_routing_v1_ListModelsResponse__Output>): grpc.ClientUnaryCall;
  listModels(argument: _tollgate_routing_v1_ListModelsRequest, callback: grpc.requestCallback<_tollgate_routing_v1_ListModelsResponse__Output>): grpc.ClientUnaryCall;
  
  PutModel(argument: _tollgate_routing_v1_PutModelRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_routing_v1_PutModelResponse__Output>): grpc.ClientUnaryCall;
  PutModel(argument: _tollgate_routing_v1_PutModelRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tollgate_routing_v1_PutModelResponse__Output>): grpc.ClientUnaryCall;
  PutModel(argument: _tollgate_routing_v1_PutModelRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_routing_v1_PutModelResponse__Output>): grpc.ClientUnaryCall;
  PutModel(argument: _tollgate_routing_v1_PutModelRequest, callback: grpc.requestCallback<_tollgate_routing_v1_PutModelResponse__Output>): grpc.ClientUnaryCall;
  putModel(argument: _tollgate_routing_v1_PutModelRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_routing_v1_PutModelResponse__Output>): grpc.ClientUnaryCall;
  putModel(argument: _tollgate_routing_v1_PutModelRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tollgate_routing_v1_PutModelResponse__Output>): grpc.ClientUnaryCall;
  putModel(argument: _tollgate_routing_v1_PutModelRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_routing_v1_PutModelResponse__Output>): grpc.ClientUnaryCall;
  putModel(argument: _tollgate_routing_v1_PutModelRequest, callback: grpc.requestCallback<_tollgate_routing_v1_PutModelResponse__Output>): grpc.ClientUnaryCall;
  
  /**
   * Completion's observations of channels, batched; feeds health and auto-disable.
   */
  ReportOutcomes(argument: _tollgate_routing_v1_ReportOutcomesRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_routing_v1_ReportOutcomesResponse__Output>): grpc.ClientUnaryCall;
  ReportOutcomes(argument: _tollgate_routing_v1_ReportOutcomesRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tollgate_routing_v1_ReportOutcomesResponse__Output>): grpc.ClientUnaryCall;
  ReportOutcomes(argument: _tollgate_routing_v1_ReportOutcomesRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_routing_v1_ReportOutcomesResponse__Output>): grpc.ClientUnaryCall;
  ReportOutcomes(argument: _tollgate_routing_v1_ReportOutcomesRequest, callback: grpc.requestCallback<_tollgate_routing_v1_ReportOutcomesResponse__Output>): grpc.ClientUnaryCall;
  /**
   * Completion's observations of channels, batched; feeds health and auto-disable.
   */
  reportOutcomes(argument: _tollgate_routing_v1_ReportOutcomesRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_routing_v1_ReportOutcomesResponse__Output>): grpc.ClientUnaryCall;
  reportOutcomes(argument: _tollgate_routing_v1_ReportOutcomesRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tollgate_routing_v1_ReportOutcomesResponse__Output>): grpc.ClientUnaryCall;
  reportOutcomes(argument: _tollgate_routing_v1_ReportOutcomesRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_routing_v1_ReportOutcomesResponse__Output>): grpc.ClientUnaryCall;
  reportOutcomes(argument: _tollgate_routing_v1_ReportOutcomesRequest, callback: grpc.requestCallback<_tollgate_routing_v1_ReportOutcomesResponse__Output>): grpc.ClientUnaryCall;
  
  UpdateChannel(argument: _tollgate_routing_v1_UpdateChannelRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_routing_v1_UpdateChannelResponse__Output>): grpc.ClientUnaryCall;
  UpdateChannel(argument: _tollgate_routing_v1_UpdateChannelRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tollgate_routing_v1_UpdateChannelResponse__Output>): grpc.ClientUnaryCall;
  UpdateChannel(argument: _tollgate_routing_v1_UpdateChannelRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_routing_v1_UpdateChannelResponse__Output>): grpc.ClientUnaryCall;
  UpdateChannel(argument: _tollgate_routing_v1_UpdateChannelRequest, callback: grpc.requestCallback<_tollgate_routing_v1_UpdateChannelResponse__Output>): grpc.ClientUnaryCall;
  updateChannel(argument: _tollgate_routing_v1_UpdateChannelRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_routing_v1_UpdateChannelResponse__Output>): grpc.ClientUnaryCall;
  updateChannel(argument: _tollgate_routing_v1_UpdateChannelRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tollgate_routing_v1_UpdateChannelResponse__Output>): grpc.ClientUnaryCall;
  updateChannel(argument: _tollgate_routing_v1_UpdateChannelRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_routing_v1_UpdateChannelResponse__Output>): grpc.ClientUnaryCall;
  updateChannel(argument: _tollgate_routing_v1_UpdateChannelRequest, callback: grpc.requestCallback<_tollgate_routing_v1_UpdateChannelResponse__Output>): grpc.ClientUnaryCall;
  
  /**
   * Pushes the table when it changes: whole, or for who takes changes what differs; and a heartbeat
   * (neither) at least once a second.
   */
  WatchRouteTable(argument: _tollgate_routing_v1_WatchRouteTableRequest, metadata: grpc.Metadata, options?: grpc.CallOptions): grpc.ClientReadableStream<_tollgate_routing_v1_WatchRouteTableResponse__Output>;
  WatchRouteTable(argument: _tollgate_routing_v1_WatchRouteTableRequest, options?: grpc.CallOptions): grpc.ClientReadableStream<_tollgate_routing_v1_WatchRouteTableResponse__Output>;
  /**
   * Pushes the table when it changes: whole, or for who takes changes what differs; and a heartbeat
   * (neither) at least once a second.
   */
  watchRouteTable(argument: _tollgate_routing_v1_WatchRouteTableRequest, metadata: grpc.Metadata, options?: grpc.CallOptions): grpc.ClientReadableStream<_tollgate_routing_v1_WatchRouteTableResponse__Output>;
  watchRouteTable(argument: _tollgate_routing_v1_WatchRouteTableRequest, options?: grpc.CallOptions): grpc.ClientReadableStream<_tollgate_routing_v1_WatchRouteTableResponse__Output>;
  
}

/**
 * Channels, the model catalogue with versioned prices, and the route table pushed to completion.
 */
export interface RoutingServiceHandlers extends grpc.UntypedServiceImplementation {
  CheckChannelHealth: grpc.handleUnaryCall<_tollgate_routing_v1_CheckChannelHealthRequest__Output, _tollgate_routing_v1_CheckChannelHealthResponse>;
  
  CreateChannel: grpc.handleUnaryCall<_tollgate_routing_v1_CreateChannelRequest__Output, _tollgate_routing_v1_CreateChannelResponse>;
  
  DeleteChannel: grpc.handleUnaryCall<_tollgate_routing_v1_DeleteChannelRequest__Output, _tollgate_routing_v1_DeleteChannelResponse>;
  
  DeleteModel: grpc.handleUnaryCall<_tollgate_routing_v1_DeleteModelRequest__Output, _tollgate_routing_v1_DeleteModelResponse>;
  
  /**
   * A vendor's own list of models, before there is a channel; nothing is kept of it.
   */
  DiscoverModels: grpc.handleUnaryCall<_tollgate_routing_v1_DiscoverModelsRequest__Output, _tollgate_routing_v1_DiscoverModelsResponse>;
  
  GetChannel: grpc.handleUnaryCall<_tollgate_routing_v1_GetChannelRequest__Output, _tollgate_routing_v1_GetChannelResponse>;
  
  ListChannels: grpc.handleUnaryCall<_tollgate_routing_v1_ListChannelsRequest__Output, _tollgate_routing_v1_ListChannelsResponse>;
  
  ListModels: grpc.handleUnaryCall<_tollgate_routing_v1_ListModelsRequest__Output, _tollgate_routing_v1_ListModelsResponse>;
  
  PutModel: grpc.handleUnaryCall<_tollgate_routing_v1_PutModelRequest__Output, _tollgate_routing_v1_PutModelResponse>;
  
  /**
   * Completion's observations of channels, batched; feeds health and auto-disable.
   */
  ReportOutcomes: grpc.handleUnaryCall<_tollgate_routing_v1_ReportOutcomesRequest__Output, _tollgate_routing_v1_ReportOutcomesResponse>;
  
  UpdateChannel: grpc.handleUnaryCall<_tollgate_routing_v1_UpdateChannelRequest__Output, _tollgate_routing_v1_UpdateChannelResponse>;
  
  /**
   * Pushes the table when it changes: whole, or for who takes changes what differs; and a heartbeat
   * (neither) at least once a second.
   */
  WatchRouteTable: grpc.handleServerStreamingCall<_tollgate_routing_v1_WatchRouteTableRequest__Output, _tollgate_routing_v1_WatchRouteTableResponse>;
  
}

export interface RoutingServiceDefinition extends grpc.ServiceDefinition {
  CheckChannelHealth: MethodDefinition<_tollgate_routing_v1_CheckChannelHealthRequest, _tollgate_routing_v1_CheckChannelHealthResponse, _tollgate_routing_v1_CheckChannelHealthRequest__Output, _tollgate_routing_v1_CheckChannelHealthResponse__Output>
  CreateChannel: MethodDefinition<_tollgate_routing_v1_CreateChannelRequest, _tollgate_routing_v1_CreateChannelResponse, _tollgate_routing_v1_CreateChannelRequest__Output, _tollgate_routing_v1_CreateChannelResponse__Output>
  DeleteChannel: MethodDefinition<_tollgate_routing_v1_DeleteChannelRequest, _tollgate_routing_v1_DeleteChannelResponse, _tollgate_routing_v1_DeleteChannelRequest__Output, _tollgate_routing_v1_DeleteChannelResponse__Output>
  DeleteModel: MethodDefinition<_tollgate_routing_v1_DeleteModelRequest, _tollgate_routing_v1_DeleteModelResponse, _tollgate_routing_v1_DeleteModelRequest__Output, _tollgate_routing_v1_DeleteModelResponse__Output>
  DiscoverModels: MethodDefinition<_tollgate_routing_v1_DiscoverModelsRequest, _tollgate_routing_v1_DiscoverModelsResponse, _tollgate_routing_v1_DiscoverModelsRequest__Output, _tollgate_routing_v1_DiscoverModelsResponse__Output>
  GetChannel: MethodDefinition<_tollgate_routing_v1_GetChannelRequest, _tollgate_routing_v1_GetChannelResponse, _tollgate_routing_v1_GetChannelRequest__Output, _tollgate_routing_v1_GetChannelResponse__Output>
  ListChannels: MethodDefinition<_tollgate_routing_v1_ListChannelsRequest, _tollgate_routing_v1_ListChannelsResponse, _tollgate_routing_v1_ListChannelsRequest__Output, _tollgate_routing_v1_ListChannelsResponse__Output>
  ListModels: MethodDefinition<_tollgate_routing_v1_ListModelsRequest, _tollgate_routing_v1_ListModelsResponse, _tollgate_routing_v1_ListModelsRequest__Output, _tollgate_routing_v1_ListModelsResponse__Output>
  PutModel: MethodDefinition<_tollgate_routing_v1_PutModelRequest, _tollgate_routing_v1_PutModelResponse, _tollgate_routing_v1_PutModelRequest__Output, _tollgate_routing_v1_PutModelResponse__Output>
  ReportOutcomes: MethodDefinition<_tollgate_routing_v1_ReportOutcomesRequest, _tollgate_routing_v1_ReportOutcomesResponse, _tollgate_routing_v1_ReportOutcomesRequest__Output, _tollgate_routing_v1_ReportOutcomesResponse__Output>
  UpdateChannel: MethodDefinition<_tollgate_routing_v1_UpdateChannelRequest, _tollgate_routing_v1_UpdateChannelResponse, _tollgate_routing_v1_UpdateChannelRequest__Output, _tollgate_routing_v1_UpdateChannelResponse__Output>
  WatchRouteTable: MethodDefinition<_tollgate_routing_v1_WatchRouteTableRequest, _tollgate_routing_v1_WatchRouteTableResponse, _tollgate_routing_v1_WatchRouteTableRequest__Output, _tollgate_routing_v1_WatchRouteTableResponse__Output>
}
