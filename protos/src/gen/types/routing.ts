import type * as grpc from '@grpc/grpc-js';
import type { EnumTypeDefinition, MessageTypeDefinition } from '@grpc/proto-loader';

import type { Channel as _tollgate_routing_v1_Channel, Channel__Output as _tollgate_routing_v1_Channel__Output } from './tollgate/routing/v1/Channel';
import type { ChannelCapabilityList as _tollgate_routing_v1_ChannelCapabilityList, ChannelCapabilityList__Output as _tollgate_routing_v1_ChannelCapabilityList__Output } from './tollgate/routing/v1/ChannelCapabilityList';
import type { ChannelGroupList as _tollgate_routing_v1_ChannelGroupList, ChannelGroupList__Output as _tollgate_routing_v1_ChannelGroupList__Output } from './tollgate/routing/v1/ChannelGroupList';
import type { ChannelHealth as _tollgate_routing_v1_ChannelHealth, ChannelHealth__Output as _tollgate_routing_v1_ChannelHealth__Output } from './tollgate/routing/v1/ChannelHealth';
import type { ChannelModel as _tollgate_routing_v1_ChannelModel, ChannelModel__Output as _tollgate_routing_v1_ChannelModel__Output } from './tollgate/routing/v1/ChannelModel';
import type { ChannelModelList as _tollgate_routing_v1_ChannelModelList, ChannelModelList__Output as _tollgate_routing_v1_ChannelModelList__Output } from './tollgate/routing/v1/ChannelModelList';
import type { ChannelOutcome as _tollgate_routing_v1_ChannelOutcome, ChannelOutcome__Output as _tollgate_routing_v1_ChannelOutcome__Output } from './tollgate/routing/v1/ChannelOutcome';
import type { ChannelSettings as _tollgate_routing_v1_ChannelSettings, ChannelSettings__Output as _tollgate_routing_v1_ChannelSettings__Output } from './tollgate/routing/v1/ChannelSettings';
import type { ChannelTimeouts as _tollgate_routing_v1_ChannelTimeouts, ChannelTimeouts__Output as _tollgate_routing_v1_ChannelTimeouts__Output } from './tollgate/routing/v1/ChannelTimeouts';
import type { CheckChannelHealthRequest as _tollgate_routing_v1_CheckChannelHealthRequest, CheckChannelHealthRequest__Output as _tollgate_routing_v1_CheckChannelHealthRequest__Output } from './tollgate/routing/v1/CheckChannelHealthRequest';
import type { CheckChannelHealthResponse as _tollgate_routing_v1_CheckChannelHealthResponse, CheckChannelHealthResponse__Output as _tollgate_routing_v1_CheckChannelHealthResponse__Output } from './tollgate/routing/v1/CheckChannelHealthResponse';
import type { CreateChannelRequest as _tollgate_routing_v1_CreateChannelRequest, CreateChannelRequest__Output as _tollgate_routing_v1_CreateChannelRequest__Output } from './tollgate/routing/v1/CreateChannelRequest';
import type { CreateChannelResponse as _tollgate_routing_v1_CreateChannelResponse, CreateChannelResponse__Output as _tollgate_routing_v1_CreateChannelResponse__Output } from './tollgate/routing/v1/CreateChannelResponse';
import type { DeleteChannelRequest as _tollgate_routing_v1_DeleteChannelRequest, DeleteChannelRequest__Output as _tollgate_routing_v1_DeleteChannelRequest__Output } from './tollgate/routing/v1/DeleteChannelRequest';
import type { DeleteChannelResponse as _tollgate_routing_v1_DeleteChannelResponse, DeleteChannelResponse__Output as _tollgate_routing_v1_DeleteChannelResponse__Output } from './tollgate/routing/v1/DeleteChannelResponse';
import type { DeleteModelRequest as _tollgate_routing_v1_DeleteModelRequest, DeleteModelRequest__Output as _tollgate_routing_v1_DeleteModelRequest__Output } from './tollgate/routing/v1/DeleteModelRequest';
import type { DeleteModelResponse as _tollgate_routing_v1_DeleteModelResponse, DeleteModelResponse__Output as _tollgate_routing_v1_DeleteModelResponse__Output } from './tollgate/routing/v1/DeleteModelResponse';
import type { GetChannelRequest as _tollgate_routing_v1_GetChannelRequest, GetChannelRequest__Output as _tollgate_routing_v1_GetChannelRequest__Output } from './tollgate/routing/v1/GetChannelRequest';
import type { GetChannelResponse as _tollgate_routing_v1_GetChannelResponse, GetChannelResponse__Output as _tollgate_routing_v1_GetChannelResponse__Output } from './tollgate/routing/v1/GetChannelResponse';
import type { ListChannelsRequest as _tollgate_routing_v1_ListChannelsRequest, ListChannelsRequest__Output as _tollgate_routing_v1_ListChannelsRequest__Output } from './tollgate/routing/v1/ListChannelsRequest';
import type { ListChannelsResponse as _tollgate_routing_v1_ListChannelsResponse, ListChannelsResponse__Output as _tollgate_routing_v1_ListChannelsResponse__Output } from './tollgate/routing/v1/ListChannelsResponse';
import type { ListModelsRequest as _tollgate_routing_v1_ListModelsRequest, ListModelsRequest__Output as _tollgate_routing_v1_ListModelsRequest__Output } from './tollgate/routing/v1/ListModelsRequest';
import type { ListModelsResponse as _tollgate_routing_v1_ListModelsResponse, ListModelsResponse__Output as _tollgate_routing_v1_ListModelsResponse__Output } from './tollgate/routing/v1/ListModelsResponse';
import type { Model as _tollgate_routing_v1_Model, Model__Output as _tollgate_routing_v1_Model__Output } from './tollgate/routing/v1/Model';
import type { Pricing as _tollgate_routing_v1_Pricing, Pricing__Output as _tollgate_routing_v1_Pricing__Output } from './tollgate/routing/v1/Pricing';
import type { PutModelRequest as _tollgate_routing_v1_PutModelRequest, PutModelRequest__Output as _tollgate_routing_v1_PutModelRequest__Output } from './tollgate/routing/v1/PutModelRequest';
import type { PutModelResponse as _tollgate_routing_v1_PutModelResponse, PutModelResponse__Output as _tollgate_routing_v1_PutModelResponse__Output } from './tollgate/routing/v1/PutModelResponse';
import type { ReportOutcomesRequest as _tollgate_routing_v1_ReportOutcomesRequest, ReportOutcomesRequest__Output as _tollgate_routing_v1_ReportOutcomesRequest__Output } from './tollgate/routing/v1/ReportOutcomesRequest';
import type { ReportOutcomesResponse as _tollgate_routing_v1_ReportOutcomesResponse, ReportOutcomesResponse__Output as _tollgate_routing_v1_ReportOutcomesResponse__Output } from './tollgate/routing/v1/ReportOutcomesResponse';
import type { RouteChannel as _tollgate_routing_v1_RouteChannel, RouteChannel__Output as _tollgate_routing_v1_RouteChannel__Output } from './tollgate/routing/v1/RouteChannel';
import type { RouteTable as _tollgate_routing_v1_RouteTable, RouteTable__Output as _tollgate_routing_v1_RouteTable__Output } from './tollgate/routing/v1/RouteTable';
import type { RoutingServiceClient as _tollgate_routing_v1_RoutingServiceClient, RoutingServiceDefinition as _tollgate_routing_v1_RoutingServiceDefinition } from './tollgate/routing/v1/RoutingService';
import type { UpdateChannelRequest as _tollgate_routing_v1_UpdateChannelRequest, UpdateChannelRequest__Output as _tollgate_routing_v1_UpdateChannelRequest__Output } from './tollgate/routing/v1/UpdateChannelRequest';
import type { UpdateChannelResponse as _tollgate_routing_v1_UpdateChannelResponse, UpdateChannelResponse__Output as _tollgate_routing_v1_UpdateChannelResponse__Output } from './tollgate/routing/v1/UpdateChannelResponse';
import type { WatchRouteTableRequest as _tollgate_routing_v1_WatchRouteTableRequest, WatchRouteTableRequest__Output as _tollgate_routing_v1_WatchRouteTableRequest__Output } from './tollgate/routing/v1/WatchRouteTableRequest';
import type { WatchRouteTableResponse as _tollgate_routing_v1_WatchRouteTableResponse, WatchRouteTableResponse__Output as _tollgate_routing_v1_WatchRouteTableResponse__Output } from './tollgate/routing/v1/WatchRouteTableResponse';

type SubtypeConstructor<Constructor extends new (...args: any) => any, Subtype> = {
  new(...args: ConstructorParameters<Constructor>): Subtype;
};

export interface ProtoGrpcType {
  tollgate: {
    routing: {
      v1: {
        Channel: MessageTypeDefinition<_tollgate_routing_v1_Channel, _tollgate_routing_v1_Channel__Output>
        ChannelCapabilityList: MessageTypeDefinition<_tollgate_routing_v1_ChannelCapabilityList, _tollgate_routing_v1_ChannelCapabilityList__Output>
        ChannelGroupList: MessageTypeDefinition<_tollgate_routing_v1_ChannelGroupList, _tollgate_routing_v1_ChannelGroupList__Output>
        ChannelHealth: MessageTypeDefinition<_tollgate_routing_v1_ChannelHealth, _tollgate_routing_v1_ChannelHealth__Output>
        ChannelModel: MessageTypeDefinition<_tollgate_routing_v1_ChannelModel, _tollgate_routing_v1_ChannelModel__Output>
        ChannelModelList: MessageTypeDefinition<_tollgate_routing_v1_ChannelModelList, _tollgate_routing_v1_ChannelModelList__Output>
        ChannelOutcome: MessageTypeDefinition<_tollgate_routing_v1_ChannelOutcome, _tollgate_routing_v1_ChannelOutcome__Output>
        ChannelSettings: MessageTypeDefinition<_tollgate_routing_v1_ChannelSettings, _tollgate_routing_v1_ChannelSettings__Output>
        ChannelStatus: EnumTypeDefinition
        ChannelTimeouts: MessageTypeDefinition<_tollgate_routing_v1_ChannelTimeouts, _tollgate_routing_v1_ChannelTimeouts__Output>
        ChannelType: EnumTypeDefinition
        CheckChannelHealthRequest: MessageTypeDefinition<_tollgate_routing_v1_CheckChannelHealthRequest, _tollgate_routing_v1_CheckChannelHealthRequest__Output>
        CheckChannelHealthResponse: MessageTypeDefinition<_tollgate_routing_v1_CheckChannelHealthResponse, _tollgate_routing_v1_CheckChannelHealthResponse__Output>
        CreateChannelRequest: MessageTypeDefinition<_tollgate_routing_v1_CreateChannelRequest, _tollgate_routing_v1_CreateChannelRequest__Output>
        CreateChannelResponse: MessageTypeDefinition<_tollgate_routing_v1_CreateChannelResponse, _tollgate_routing_v1_CreateChannelResponse__Output>
        DeleteChannelRequest: MessageTypeDefinition<_tollgate_routing_v1_DeleteChannelRequest, _tollgate_routing_v1_DeleteChannelRequest__Output>
        DeleteChannelResponse: MessageTypeDefinition<_tollgate_routing_v1_DeleteChannelResponse, _tollgate_routing_v1_DeleteChannelResponse__Output>
        DeleteModelRequest: MessageTypeDefinition<_tollgate_routing_v1_DeleteModelRequest, _tollgate_routing_v1_DeleteModelRequest__Output>
        DeleteModelResponse: MessageTypeDefinition<_tollgate_routing_v1_DeleteModelResponse, _tollgate_routing_v1_DeleteModelResponse__Output>
        GetChannelRequest: MessageTypeDefinition<_tollgate_routing_v1_GetChannelRequest, _tollgate_routing_v1_GetChannelRequest__Output>
        GetChannelResponse: MessageTypeDefinition<_tollgate_routing_v1_GetChannelResponse, _tollgate_routing_v1_GetChannelResponse__Output>
        HealthState: EnumTypeDefinition
        ListChannelsRequest: MessageTypeDefinition<_tollgate_routing_v1_ListChannelsRequest, _tollgate_routing_v1_ListChannelsRequest__Output>
        ListChannelsResponse: MessageTypeDefinition<_tollgate_routing_v1_ListChannelsResponse, _tollgate_routing_v1_ListChannelsResponse__Output>
        ListModelsRequest: MessageTypeDefinition<_tollgate_routing_v1_ListModelsRequest, _tollgate_routing_v1_ListModelsRequest__Output>
        ListModelsResponse: MessageTypeDefinition<_tollgate_routing_v1_ListModelsResponse, _tollgate_routing_v1_ListModelsResponse__Output>
        Model: MessageTypeDefinition<_tollgate_routing_v1_Model, _tollgate_routing_v1_Model__Output>
        OutcomeKind: EnumTypeDefinition
        Pricing: MessageTypeDefinition<_tollgate_routing_v1_Pricing, _tollgate_routing_v1_Pricing__Output>
        PutModelRequest: MessageTypeDefinition<_tollgate_routing_v1_PutModelRequest, _tollgate_routing_v1_PutModelRequest__Output>
        PutModelResponse: MessageTypeDefinition<_tollgate_routing_v1_PutModelResponse, _tollgate_routing_v1_PutModelResponse__Output>
        ReportOutcomesRequest: MessageTypeDefinition<_tollgate_routing_v1_ReportOutcomesRequest, _tollgate_routing_v1_ReportOutcomesRequest__Output>
        ReportOutcomesResponse: MessageTypeDefinition<_tollgate_routing_v1_ReportOutcomesResponse, _tollgate_routing_v1_ReportOutcomesResponse__Output>
        RouteChannel: MessageTypeDefinition<_tollgate_routing_v1_RouteChannel, _tollgate_routing_v1_RouteChannel__Output>
        RouteTable: MessageTypeDefinition<_tollgate_routing_v1_RouteTable, _tollgate_routing_v1_RouteTable__Output>
        /**
         * Channels, the model catalogue with versioned prices, and the route table pushed to completion.
         */
        RoutingService: SubtypeConstructor<typeof grpc.Client, _tollgate_routing_v1_RoutingServiceClient> & { service: _tollgate_routing_v1_RoutingServiceDefinition }
        UpdateChannelRequest: MessageTypeDefinition<_tollgate_routing_v1_UpdateChannelRequest, _tollgate_routing_v1_UpdateChannelRequest__Output>
        UpdateChannelResponse: MessageTypeDefinition<_tollgate_routing_v1_UpdateChannelResponse, _tollgate_routing_v1_UpdateChannelResponse__Output>
        WatchRouteTableRequest: MessageTypeDefinition<_tollgate_routing_v1_WatchRouteTableRequest, _tollgate_routing_v1_WatchRouteTableRequest__Output>
        WatchRouteTableResponse: MessageTypeDefinition<_tollgate_routing_v1_WatchRouteTableResponse, _tollgate_routing_v1_WatchRouteTableResponse__Output>
      }
    }
  }
}

