import type * as grpc from '@grpc/grpc-js';
import type { EnumTypeDefinition, MessageTypeDefinition } from '@grpc/proto-loader';

import type { CreateEndpointRequest as _tollgate_webhook_v1_CreateEndpointRequest, CreateEndpointRequest__Output as _tollgate_webhook_v1_CreateEndpointRequest__Output } from './tollgate/webhook/v1/CreateEndpointRequest';
import type { CreateEndpointResponse as _tollgate_webhook_v1_CreateEndpointResponse, CreateEndpointResponse__Output as _tollgate_webhook_v1_CreateEndpointResponse__Output } from './tollgate/webhook/v1/CreateEndpointResponse';
import type { DeleteEndpointRequest as _tollgate_webhook_v1_DeleteEndpointRequest, DeleteEndpointRequest__Output as _tollgate_webhook_v1_DeleteEndpointRequest__Output } from './tollgate/webhook/v1/DeleteEndpointRequest';
import type { DeleteEndpointResponse as _tollgate_webhook_v1_DeleteEndpointResponse, DeleteEndpointResponse__Output as _tollgate_webhook_v1_DeleteEndpointResponse__Output } from './tollgate/webhook/v1/DeleteEndpointResponse';
import type { Delivery as _tollgate_webhook_v1_Delivery, Delivery__Output as _tollgate_webhook_v1_Delivery__Output } from './tollgate/webhook/v1/Delivery';
import type { Endpoint as _tollgate_webhook_v1_Endpoint, Endpoint__Output as _tollgate_webhook_v1_Endpoint__Output } from './tollgate/webhook/v1/Endpoint';
import type { EventList as _tollgate_webhook_v1_EventList, EventList__Output as _tollgate_webhook_v1_EventList__Output } from './tollgate/webhook/v1/EventList';
import type { GetEndpointRequest as _tollgate_webhook_v1_GetEndpointRequest, GetEndpointRequest__Output as _tollgate_webhook_v1_GetEndpointRequest__Output } from './tollgate/webhook/v1/GetEndpointRequest';
import type { GetEndpointResponse as _tollgate_webhook_v1_GetEndpointResponse, GetEndpointResponse__Output as _tollgate_webhook_v1_GetEndpointResponse__Output } from './tollgate/webhook/v1/GetEndpointResponse';
import type { ListDeliveriesRequest as _tollgate_webhook_v1_ListDeliveriesRequest, ListDeliveriesRequest__Output as _tollgate_webhook_v1_ListDeliveriesRequest__Output } from './tollgate/webhook/v1/ListDeliveriesRequest';
import type { ListDeliveriesResponse as _tollgate_webhook_v1_ListDeliveriesResponse, ListDeliveriesResponse__Output as _tollgate_webhook_v1_ListDeliveriesResponse__Output } from './tollgate/webhook/v1/ListDeliveriesResponse';
import type { ListEndpointsRequest as _tollgate_webhook_v1_ListEndpointsRequest, ListEndpointsRequest__Output as _tollgate_webhook_v1_ListEndpointsRequest__Output } from './tollgate/webhook/v1/ListEndpointsRequest';
import type { ListEndpointsResponse as _tollgate_webhook_v1_ListEndpointsResponse, ListEndpointsResponse__Output as _tollgate_webhook_v1_ListEndpointsResponse__Output } from './tollgate/webhook/v1/ListEndpointsResponse';
import type { RedeliverRequest as _tollgate_webhook_v1_RedeliverRequest, RedeliverRequest__Output as _tollgate_webhook_v1_RedeliverRequest__Output } from './tollgate/webhook/v1/RedeliverRequest';
import type { RedeliverResponse as _tollgate_webhook_v1_RedeliverResponse, RedeliverResponse__Output as _tollgate_webhook_v1_RedeliverResponse__Output } from './tollgate/webhook/v1/RedeliverResponse';
import type { RotateSecretRequest as _tollgate_webhook_v1_RotateSecretRequest, RotateSecretRequest__Output as _tollgate_webhook_v1_RotateSecretRequest__Output } from './tollgate/webhook/v1/RotateSecretRequest';
import type { RotateSecretResponse as _tollgate_webhook_v1_RotateSecretResponse, RotateSecretResponse__Output as _tollgate_webhook_v1_RotateSecretResponse__Output } from './tollgate/webhook/v1/RotateSecretResponse';
import type { SendTestRequest as _tollgate_webhook_v1_SendTestRequest, SendTestRequest__Output as _tollgate_webhook_v1_SendTestRequest__Output } from './tollgate/webhook/v1/SendTestRequest';
import type { SendTestResponse as _tollgate_webhook_v1_SendTestResponse, SendTestResponse__Output as _tollgate_webhook_v1_SendTestResponse__Output } from './tollgate/webhook/v1/SendTestResponse';
import type { UpdateEndpointRequest as _tollgate_webhook_v1_UpdateEndpointRequest, UpdateEndpointRequest__Output as _tollgate_webhook_v1_UpdateEndpointRequest__Output } from './tollgate/webhook/v1/UpdateEndpointRequest';
import type { UpdateEndpointResponse as _tollgate_webhook_v1_UpdateEndpointResponse, UpdateEndpointResponse__Output as _tollgate_webhook_v1_UpdateEndpointResponse__Output } from './tollgate/webhook/v1/UpdateEndpointResponse';
import type { WebhookServiceClient as _tollgate_webhook_v1_WebhookServiceClient, WebhookServiceDefinition as _tollgate_webhook_v1_WebhookServiceDefinition } from './tollgate/webhook/v1/WebhookService';

type SubtypeConstructor<Constructor extends new (...args: any) => any, Subtype> = {
  new(...args: ConstructorParameters<Constructor>): Subtype;
};

export interface ProtoGrpcType {
  tollgate: {
    webhook: {
      v1: {
        CreateEndpointRequest: MessageTypeDefinition<_tollgate_webhook_v1_CreateEndpointRequest, _tollgate_webhook_v1_CreateEndpointRequest__Output>
        CreateEndpointResponse: MessageTypeDefinition<_tollgate_webhook_v1_CreateEndpointResponse, _tollgate_webhook_v1_CreateEndpointResponse__Output>
        DeleteEndpointRequest: MessageTypeDefinition<_tollgate_webhook_v1_DeleteEndpointRequest, _tollgate_webhook_v1_DeleteEndpointRequest__Output>
        DeleteEndpointResponse: MessageTypeDefinition<_tollgate_webhook_v1_DeleteEndpointResponse, _tollgate_webhook_v1_DeleteEndpointResponse__Output>
        Delivery: MessageTypeDefinition<_tollgate_webhook_v1_Delivery, _tollgate_webhook_v1_Delivery__Output>
        DeliveryStatus: EnumTypeDefinition
        Endpoint: MessageTypeDefinition<_tollgate_webhook_v1_Endpoint, _tollgate_webhook_v1_Endpoint__Output>
        EndpointStatus: EnumTypeDefinition
        EventList: MessageTypeDefinition<_tollgate_webhook_v1_EventList, _tollgate_webhook_v1_EventList__Output>
        GetEndpointRequest: MessageTypeDefinition<_tollgate_webhook_v1_GetEndpointRequest, _tollgate_webhook_v1_GetEndpointRequest__Output>
        GetEndpointResponse: MessageTypeDefinition<_tollgate_webhook_v1_GetEndpointResponse, _tollgate_webhook_v1_GetEndpointResponse__Output>
        ListDeliveriesRequest: MessageTypeDefinition<_tollgate_webhook_v1_ListDeliveriesRequest, _tollgate_webhook_v1_ListDeliveriesRequest__Output>
        ListDeliveriesResponse: MessageTypeDefinition<_tollgate_webhook_v1_ListDeliveriesResponse, _tollgate_webhook_v1_ListDeliveriesResponse__Output>
        ListEndpointsRequest: MessageTypeDefinition<_tollgate_webhook_v1_ListEndpointsRequest, _tollgate_webhook_v1_ListEndpointsRequest__Output>
        ListEndpointsResponse: MessageTypeDefinition<_tollgate_webhook_v1_ListEndpointsResponse, _tollgate_webhook_v1_ListEndpointsResponse__Output>
        RedeliverRequest: MessageTypeDefinition<_tollgate_webhook_v1_RedeliverRequest, _tollgate_webhook_v1_RedeliverRequest__Output>
        RedeliverResponse: MessageTypeDefinition<_tollgate_webhook_v1_RedeliverResponse, _tollgate_webhook_v1_RedeliverResponse__Output>
        RotateSecretRequest: MessageTypeDefinition<_tollgate_webhook_v1_RotateSecretRequest, _tollgate_webhook_v1_RotateSecretRequest__Output>
        RotateSecretResponse: MessageTypeDefinition<_tollgate_webhook_v1_RotateSecretResponse, _tollgate_webhook_v1_RotateSecretResponse__Output>
        SendTestRequest: MessageTypeDefinition<_tollgate_webhook_v1_SendTestRequest, _tollgate_webhook_v1_SendTestRequest__Output>
        SendTestResponse: MessageTypeDefinition<_tollgate_webhook_v1_SendTestResponse, _tollgate_webhook_v1_SendTestResponse__Output>
        UpdateEndpointRequest: MessageTypeDefinition<_tollgate_webhook_v1_UpdateEndpointRequest, _tollgate_webhook_v1_UpdateEndpointRequest__Output>
        UpdateEndpointResponse: MessageTypeDefinition<_tollgate_webhook_v1_UpdateEndpointResponse, _tollgate_webhook_v1_UpdateEndpointResponse__Output>
        /**
         * Webhook endpoints of an account and what was delivered to them (Standard Webhooks 1.0).
         */
        WebhookService: SubtypeConstructor<typeof grpc.Client, _tollgate_webhook_v1_WebhookServiceClient> & { service: _tollgate_webhook_v1_WebhookServiceDefinition }
      }
    }
  }
}

