// Original file: tollgate/webhook/v1/webhook.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { CreateEndpointRequest as _tollgate_webhook_v1_CreateEndpointRequest, CreateEndpointRequest__Output as _tollgate_webhook_v1_CreateEndpointRequest__Output } from '../../../tollgate/webhook/v1/CreateEndpointRequest';
import type { CreateEndpointResponse as _tollgate_webhook_v1_CreateEndpointResponse, CreateEndpointResponse__Output as _tollgate_webhook_v1_CreateEndpointResponse__Output } from '../../../tollgate/webhook/v1/CreateEndpointResponse';
import type { DeleteEndpointRequest as _tollgate_webhook_v1_DeleteEndpointRequest, DeleteEndpointRequest__Output as _tollgate_webhook_v1_DeleteEndpointRequest__Output } from '../../../tollgate/webhook/v1/DeleteEndpointRequest';
import type { DeleteEndpointResponse as _tollgate_webhook_v1_DeleteEndpointResponse, DeleteEndpointResponse__Output as _tollgate_webhook_v1_DeleteEndpointResponse__Output } from '../../../tollgate/webhook/v1/DeleteEndpointResponse';
import type { GetEndpointRequest as _tollgate_webhook_v1_GetEndpointRequest, GetEndpointRequest__Output as _tollgate_webhook_v1_GetEndpointRequest__Output } from '../../../tollgate/webhook/v1/GetEndpointRequest';
import type { GetEndpointResponse as _tollgate_webhook_v1_GetEndpointResponse, GetEndpointResponse__Output as _tollgate_webhook_v1_GetEndpointResponse__Output } from '../../../tollgate/webhook/v1/GetEndpointResponse';
import type { ListAccountDeliveriesRequest as _tollgate_webhook_v1_ListAccountDeliveriesRequest, ListAccountDeliveriesRequest__Output as _tollgate_webhook_v1_ListAccountDeliveriesRequest__Output } from '../../../tollgate/webhook/v1/ListAccountDeliveriesRequest';
import type { ListAccountDeliveriesResponse as _tollgate_webhook_v1_ListAccountDeliveriesResponse, ListAccountDeliveriesResponse__Output as _tollgate_webhook_v1_ListAccountDeliveriesResponse__Output } from '../../../tollgate/webhook/v1/ListAccountDeliveriesResponse';
import type { ListAutoDisabledEndpointsRequest as _tollgate_webhook_v1_ListAutoDisabledEndpointsRequest, ListAutoDisabledEndpointsRequest__Output as _tollgate_webhook_v1_ListAutoDisabledEndpointsRequest__Output } from '../../../tollgate/webhook/v1/ListAutoDisabledEndpointsRequest';
import type { ListAutoDisabledEndpointsResponse as _tollgate_webhook_v1_ListAutoDisabledEndpointsResponse, ListAutoDisabledEndpointsResponse__Output as _tollgate_webhook_v1_ListAutoDisabledEndpointsResponse__Output } from '../../../tollgate/webhook/v1/ListAutoDisabledEndpointsResponse';
import type { ListDeliveriesRequest as _tollgate_webhook_v1_ListDeliveriesRequest, ListDeliveriesRequest__Output as _tollgate_webhook_v1_ListDeliveriesRequest__Output } from '../../../tollgate/webhook/v1/ListDeliveriesRequest';
import type { ListDeliveriesResponse as _tollgate_webhook_v1_ListDeliveriesResponse, ListDeliveriesResponse__Output as _tollgate_webhook_v1_ListDeliveriesResponse__Output } from '../../../tollgate/webhook/v1/ListDeliveriesResponse';
import type { ListEndpointsRequest as _tollgate_webhook_v1_ListEndpointsRequest, ListEndpointsRequest__Output as _tollgate_webhook_v1_ListEndpointsRequest__Output } from '../../../tollgate/webhook/v1/ListEndpointsRequest';
import type { ListEndpointsResponse as _tollgate_webhook_v1_ListEndpointsResponse, ListEndpointsResponse__Output as _tollgate_webhook_v1_ListEndpointsResponse__Output } from '../../../tollgate/webhook/v1/ListEndpointsResponse';
import type { RedeliverRequest as _tollgate_webhook_v1_RedeliverRequest, RedeliverRequest__Output as _tollgate_webhook_v1_RedeliverRequest__Output } from '../../../tollgate/webhook/v1/RedeliverRequest';
import type { RedeliverResponse as _tollgate_webhook_v1_RedeliverResponse, RedeliverResponse__Output as _tollgate_webhook_v1_RedeliverResponse__Output } from '../../../tollgate/webhook/v1/RedeliverResponse';
import type { RotateSecretRequest as _tollgate_webhook_v1_RotateSecretRequest, RotateSecretRequest__Output as _tollgate_webhook_v1_RotateSecretRequest__Output } from '../../../tollgate/webhook/v1/RotateSecretRequest';
import type { RotateSecretResponse as _tollgate_webhook_v1_RotateSecretResponse, RotateSecretResponse__Output as _tollgate_webhook_v1_RotateSecretResponse__Output } from '../../../tollgate/webhook/v1/RotateSecretResponse';
import type { SendTestRequest as _tollgate_webhook_v1_SendTestRequest, SendTestRequest__Output as _tollgate_webhook_v1_SendTestRequest__Output } from '../../../tollgate/webhook/v1/SendTestRequest';
import type { SendTestResponse as _tollgate_webhook_v1_SendTestResponse, SendTestResponse__Output as _tollgate_webhook_v1_SendTestResponse__Output } from '../../../tollgate/webhook/v1/SendTestResponse';
import type { UpdateEndpointRequest as _tollgate_webhook_v1_UpdateEndpointRequest, UpdateEndpointRequest__Output as _tollgate_webhook_v1_UpdateEndpointRequest__Output } from '../../../tollgate/webhook/v1/UpdateEndpointRequest';
import type { UpdateEndpointResponse as _tollgate_webhook_v1_UpdateEndpointResponse, UpdateEndpointResponse__Output as _tollgate_webhook_v1_UpdateEndpointResponse__Output } from '../../../tollgate/webhook/v1/UpdateEndpointResponse';

/**
 * Webhook endpoints of an account and what was delivered to them (Standard Webhooks 1.0).
 */
export interface WebhookServiceClient extends grpc.Client {
  CreateEndpoint(argument: _tollgate_webhook_v1_CreateEndpointRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_webhook_v1_CreateEndpointResponse__Output>): grpc.ClientUnaryCall;
  CreateEndpoint(argument: _tollgate_webhook_v1_CreateEndpointRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tollgate_webhook_v1_CreateEndpointResponse__Output>): grpc.ClientUnaryCall;
  CreateEndpoint(argument: _tollgate_webhook_v1_CreateEndpointRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_webhook_v1_CreateEndpointResponse__Output>): grpc.ClientUnaryCall;
  CreateEndpoint(argument: _tollgate_webhook_v1_CreateEndpointRequest, callback: grpc.requestCallback<_tollgate_webhook_v1_CreateEndpointResponse__Output>): grpc.ClientUnaryCall;
  createEndpoint(argument: _tollgate_webhook_v1_CreateEndpointRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_webhook_v1_CreateEndpointResponse__Output>): grpc.ClientUnaryCall;
  createEndpoint(argument: _tollgate_webhook_v1_CreateEndpointRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tollgate_webhook_v1_CreateEndpointResponse__Output>): grpc.ClientUnaryCall;
  createEndpoint(argument: _tollgate_webhook_v1_CreateEndpointRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_webhook_v1_CreateEndpointResponse__Output>): grpc.ClientUnaryCall;
  createEndpoint(argument: _tollgate_webhook_v1_CreateEndpointRequest, callback: grpc.requestCallback<_tollgate_webhook_v1_CreateEndpointResponse__Output>): grpc.ClientUnaryCall;
  
  DeleteEndpoint(argument: _tollgate_webhook_v1_DeleteEndpointRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_webhook_v1_DeleteEndpointResponse__Output>): grpc.ClientUnaryCall;
  DeleteEndpoint(argument: _tollgate_webhook_v1_DeleteEndpointRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tollgate_webhook_v1_DeleteEndpointResponse__Output>): grpc.ClientUnaryCall;
  DeleteEndpoint(argument: _tollgate_webhook_v1_DeleteEndpointRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_webhook_v1_DeleteEndpointResponse__Output>): grpc.ClientUnaryCall;
  DeleteEndpoint(argument: _tollgate_webhook_v1_DeleteEndpointRequest, callback: grpc.requestCallback<_tollgate_webhook_v1_DeleteEndpointResponse__Output>): grpc.ClientUnaryCall;
  deleteEndpoint(argument: _tollgate_webhook_v1_DeleteEndpointRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_webhook_v1_DeleteEndpointResponse__Output>): grpc.ClientUnaryCall;
  deleteEndpoint(argument: _tollgate_webhook_v1_DeleteEndpointRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tollgate_webhook_v1_DeleteEndpointResponse__Output>): grpc.ClientUnaryCall;
  deleteEndpoint(argument: _tollgate_webhook_v1_DeleteEndpointRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_webhook_v1_DeleteEndpointResponse__Output>): grpc.ClientUnaryCall;
  deleteEndpoint(argument: _tollgate_webhook_v1_DeleteEndpointRequest, callback: grpc.requestCallback<_tollgate_webhook_v1_DeleteEndpointResponse__Output>): grpc.ClientUnaryCall;
  
  GetEndpoint(argument: _tollgate_webhook_v1_GetEndpointRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_webhook_v1_GetEndpointResponse__Output>): grpc.ClientUnaryCall;
  GetEndpoint(argument: _tollgate_webhook_v1_GetEndpointRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tollgate_webhook_v1_GetEndpointResponse__Output>): grpc.ClientUnaryCall;
  GetEndpoint(argument: _tollgate_webhook_v1_GetEndpointRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_webhook_v1_GetEndpointResponse__Output>): grpc.ClientUnaryCall;
  GetEndpoint(argument: _tollgate_webhook_v1_GetEndpointRequest, callback: grpc.requestCallback<_tollgate_webhook_v1_GetEndpointResponse__Output>): grpc.ClientUnaryCall;
  getEndpoint(argument: _tollgate_webhook_v1_GetEndpointRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_webhook_v1_GetEndpointResponse__Output>): grpc.ClientUnaryCall;
  getEndpoint(argument: _tollgate_webhook_v1_GetEndpointRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tollgate_webhook_v1_GetEndpointResponse__Output>): grpc.ClientUnaryCall;
  getEndpoint(argument: _tollgate_webhook_v1_GetEndpointRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_webhook_v1_GetEndpointResponse__Output>): grpc.ClientUnaryCall;
  getEndpoint(argument: _tollgate_webhook_v1_GetEndpointRequest, callback: grpc.requestCallback<_tollgate_webhook_v1_GetEndpointResponse__Output>): grpc.ClientUnaryCall;
  
  /**
   * Of all endpoints of an account, made within a span of time, oldest first.
   */
  ListAccountDeliveries(argument: _tollgate_webhook_v1_ListAccountDeliveriesRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_webhook_v1_ListAccountDeliveriesResponse__Output>): grpc.ClientUnaryCall;
  ListAccountDeliveries(argument: _tollgate_webhook_v1_ListAccountDeliveriesRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tollgate_webhook_v1_ListAccountDeliveriesResponse__Output>): grpc.ClientUnaryCall;
  ListAccountDeliveries(argument: _tollgate_webhook_v1_ListAccountDeliveriesRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_webhook_v1_ListAccountDeliveriesResponse__Output>): grpc.ClientUnaryCall;
  ListAccountDeliveries(argument: _tollgate_webhook_v1_ListAccountDeliveriesRequest, callback: grpc.requestCallback<_tollgate_webhook_v1_ListAccountDeliveriesResponse__Output>): grpc.ClientUnaryCall;
  /**
   * Of all endpoints of an account, made within a span of time, oldest first.
   */
  listAccountDeliveries(argument: _tollgate_webhook_v1_ListAccountDeliveriesRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_webhook_v1_ListAccountDeliveriesResponse__Output>): grpc.ClientUnaryCall;
  listAccountDeliveries(argument: _tollgate_webhook_v1_ListAccountDeliveriesRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tollgate_webhook_v1_ListAccountDeliveriesResponse__Output>): grpc.ClientUnaryCall;
  listAccountDeliveries(argument: _tollgate_webhook_v1_ListAccountDeliveriesRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_webhook_v1_ListAccountDeliveriesResponse__Output>): grpc.ClientUnaryCall;
  listAccountDeliveries(argument: _tollgate_webhook_v1_ListAccountDeliveriesRequest, callback: grpc.requestCallback<_tollgate_webhook_v1_ListAccountDeliveriesResponse__Output>): grpc.ClientUnaryCall;
  
  /**
   * Of every account, for operators: those that are `auto_disabled`.
   */
  ListAutoDisabledEndpoints(argument: _tollgate_webhook_v1_ListAutoDisabledEndpointsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_webhook_v1_ListAutoDisabledEndpointsResponse__Output>): grpc.ClientUnaryCall;
  ListAutoDisabledEndpoints(argument: _tollgate_webhook_v1_ListAutoDisabledEndpointsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tollgate_webhook_v1_ListAutoDisabledEndpointsResponse__Output>): grpc.ClientUnaryCall;
  ListAutoDisabledEndpoints(argument: _tollgate_webhook_v1_ListAutoDisabledEndpointsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_webhook_v1_ListAutoDisabledEndpointsResponse__Output>): grpc.ClientUnaryCall;
  ListAutoDisabledEndpoints(argument: _tollgate_webhook_v1_ListAutoDisabledEndpointsRequest, callback: grpc.requestCallback<_tollgate_webhook_v1_ListAutoDisabledEndpointsResponse__Output>): grpc.ClientUnaryCall;
  /**
   * Of every account, for operators: those that are `auto_disabled`.
   */
  listAutoDisabledEndpoints(argument: _tollgate_webhook_v1_ListAutoDisabledEndpointsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_webhook_v1_ListAutoDisabledEndpointsResponse__Output>): grpc.ClientUnaryCall;
  listAutoDisabledEndpoints(argument: _tollgate_webhook_v1_ListAutoDisabledEndpointsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tollgate_webhook_v1_ListAutoDisabledEndpointsResponse__Output>): grpc.ClientUnaryCall;
  listAutoDisabledEndpoints(argument: _tollgate_webhook_v1_ListAutoDisabledEndpointsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_webhook_v1_ListAutoDisabledEndpointsResponse__Output>): grpc.ClientUnaryCall;
  listAutoDisabledEndpoints(argument: _tollgate_webhook_v1_ListAutoDisabledEndpointsRequest, callback: grpc.requestCallback<_tollgate_webhook_v1_ListAutoDisabledEndpointsResponse__Output>): grpc.ClientUnaryCall;
  
  ListDeliveries(argument: _tollgate_webhook_v1_ListDeliveriesRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_webhook_v1_ListDeliveriesResponse__Output>): grpc.ClientUnaryCall;
  ListDeliveries(argument: _tollgate_webhook_v1_ListDeliveriesRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tollgate_webhook_v1_ListDeliveriesResponse__Output>): grpc.ClientUnaryCall;
  ListDeliveries(argument: _tollgate_webhook_v1_ListDeliveriesRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_webhook_v1_ListDeliveriesResponse__Output>): grpc.ClientUnaryCall;
  ListDeliveries(argument: _tollgate_webhook_v1_ListDeliveriesRequest, callback: grpc.requestCallback<_tollgate_webhook_v1_ListDeliveriesResponse__Output>): grpc.ClientUnaryCall;
  listDeliveries(argument: _tollgate_webhook_v1_ListDeliveriesRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_webhook_v1_ListDeliveriesResponse__Output>): grpc.ClientUnaryCall;
  listDeliveries(argument: _tollgate_webhook_v1_ListDeliveriesRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tollgate_webhook_v1_ListDeliveriesResponse__Output>): grpc.ClientUnaryCall;
  listDeliveries(argument: _tollgate_webhook_v1_ListDeliveriesRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_webhook_v1_ListDeliveriesResponse__Output>): grpc.ClientUnaryCall;
  listDeliveries(argument: _tollgate_webhook_v1_ListDeliveriesRequest, callback: grpc.requestCallback<_tollgate_webhook_v1_ListDeliveriesResponse__Output>): grpc.ClientUnaryCall;
  
  ListEndpoints(argument: _tollgate_webhook_v1_ListEndpointsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_webhook_v1_ListEndpointsResponse__Output>): grpc.ClientUnaryCall;
  ListEndpoints(argument: _tollgate_webhook_v1_ListEndpointsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tollgate_webhook_v1_ListEndpointsResponse__Output>): grpc.ClientUnaryCall;
  ListEndpoints(argument: _tollgate_webhook_v1_ListEndpointsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_webhook_v1_ListEndpointsResponse__Output>): grpc.ClientUnaryCall;
  ListEndpoints(argument: _tollgate_webhook_v1_ListEndpointsRequest, callback: grpc.requestCallback<_tollgate_webhook_v1_ListEndpointsResponse__Output>): grpc.ClientUnaryCall;
  listEndpoints(argument: _tollgate_webhook_v1_ListEndpointsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_webhook_v1_ListEndpointsResponse__Output>): grpc.ClientUnaryCall;
  listEndpoints(argument: _tollgate_webhook_v1_ListEndpointsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tollgate_webhook_v1_ListEndpointsResponse__Output>): grpc.ClientUnaryCall;
  listEndpoints(argument: _tollgate_webhook_v1_ListEndpointsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_webhook_v1_ListEndpointsResponse__Output>): grpc.ClientUnaryCall;
  listEndpoints(argument: _tollgate_webhook_v1_ListEndpointsRequest, callback: grpc.requestCallback<_tollgate_webhook_v1_ListEndpointsResponse__Output>): grpc.ClientUnaryCall;
  
  Redeliver(argument: _tollgate_webhook_v1_RedeliverRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_webhook_v1_RedeliverResponse__Output>): grpc.ClientUnaryCall;
  Redeliver(argument: _tollgate_webhook_v1_RedeliverRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tollgate_webhook_v1_RedeliverResponse__Output>): grpc.ClientUnaryCall;
  Redeliver(argument: _tollgate_webhook_v1_RedeliverRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_webhook_v1_RedeliverResponse__Output>): grpc.ClientUnaryCall;
  Redeliver(argument: _tollgate_webhook_v1_RedeliverRequest, callback: grpc.requestCallback<_tollgate_webhook_v1_RedeliverResponse__Output>): grpc.ClientUnaryCall;
  redeliver(argument: _tollgate_webhook_v1_RedeliverRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_webhook_v1_RedeliverResponse__Output>): grpc.ClientUnaryCall;
  redeliver(argument: _tollgate_webhook_v1_RedeliverRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tollgate_webhook_v1_RedeliverResponse__Output>): grpc.ClientUnaryCall;
  redeliver(argument: _tollgate_webhook_v1_RedeliverRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_webhook_v1_RedeliverResponse__Output>): grpc.ClientUnaryCall;
  redeliver(argument: _tollgate_webhook_v1_RedeliverRequest, callback: grpc.requestCallback<_tollgate_webhook_v1_RedeliverResponse__Output>): grpc.ClientUnaryCall;
  
  RotateSecret(argument: _tollgate_webhook_v1_RotateSecretRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_webhook_v1_RotateSecretResponse__Output>): grpc.ClientUnaryCall;
  RotateSecret(argument: _tollgate_webhook_v1_RotateSecretRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tollgate_webhook_v1_RotateSecretResponse__Output>): grpc.ClientUnaryCall;
  RotateSecret(argument: _tollgate_webhook_v1_RotateSecretRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_webhook_v1_RotateSecretResponse__Output>): grpc.ClientUnaryCall;
  RotateSecret(argument: _tollgate_webhook_v1_RotateSecretRequest, callback: grpc.requestCallback<_tollgate_webhook_v1_RotateSecretResponse__Output>): grpc.ClientUnaryCall;
  rotateSecret(argument: _tollgate_webhook_v1_RotateSecretRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_webhook_v1_RotateSecretResponse__Output>): grpc.ClientUnaryCall;
  rotateSecret(argument: _tollgate_webhook_v1_RotateSecretRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tollgate_webhook_v1_RotateSecretResponse__Output>): grpc.ClientUnaryCall;
  rotateSecret(argument: _tollgate_webhook_v1_RotateSecretRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_webhook_v1_RotateSecretResponse__Output>): grpc.ClientUnaryCall;
  rotateSecret(argument: _tollgate_webhook_v1_RotateSecretRequest, callback: grpc.requestCallback<_tollgate_webhook_v1_RotateSecretResponse__Output>): grpc.ClientUnaryCall;
  
  SendTest(argument: _tollgate_webhook_v1_SendTestRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_webhook_v1_SendTestResponse__Output>): grpc.ClientUnaryCall;
  SendTest(argument: _tollgate_webhook_v1_SendTestRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tollgate_webhook_v1_SendTestResponse__Output>): grpc.ClientUnaryCall;
  SendTest(argument: _tollgate_webhook_v1_SendTestRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_webhook_v1_SendTestResponse__Output>): grpc.ClientUnaryCall;
  SendTest(argument: _tollgate_webhook_v1_SendTestRequest, callback: grpc.requestCallback<_tollgate_webhook_v1_SendTestResponse__Output>): grpc.ClientUnaryCall;
  sendTest(argument: _tollgate_webhook_v1_SendTestRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_webhook_v1_SendTestResponse__Output>): grpc.ClientUnaryCall;
  sendTest(argument: _tollgate_webhook_v1_SendTestRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tollgate_webhook_v1_SendTestResponse__Output>): grpc.ClientUnaryCall;
  sendTest(argument: _tollgate_webhook_v1_SendTestRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_webhook_v1_SendTestResponse__Output>): grpc.ClientUnaryCall;
  sendTest(argument: _tollgate_webhook_v1_SendTestRequest, callback: grpc.requestCallback<_tollgate_webhook_v1_SendTestResponse__Output>): grpc.ClientUnaryCall;
  
  UpdateEndpoint(argument: _tollgate_webhook_v1_UpdateEndpointRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_webhook_v1_UpdateEndpointResponse__Output>): grpc.ClientUnaryCall;
  UpdateEndpoint(argument: _tollgate_webhook_v1_UpdateEndpointRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tollgate_webhook_v1_UpdateEndpointResponse__Output>): grpc.ClientUnaryCall;
  UpdateEndpoint(argument: _tollgate_webhook_v1_UpdateEndpointRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_webhook_v1_UpdateEndpointResponse__Output>): grpc.ClientUnaryCall;
  UpdateEndpoint(argument: _tollgate_webhook_v1_UpdateEndpointRequest, callback: grpc.requestCallback<_tollgate_webhook_v1_UpdateEndpointResponse__Output>): grpc.ClientUnaryCall;
  updateEndpoint(argument: _tollgate_webhook_v1_UpdateEndpointRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_webhook_v1_UpdateEndpointResponse__Output>): grpc.ClientUnaryCall;
  updateEndpoint(argument: _tollgate_webhook_v1_UpdateEndpointRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tollgate_webhook_v1_UpdateEndpointResponse__Output>): grpc.ClientUnaryCall;
  updateEndpoint(argument: _tollgate_webhook_v1_UpdateEndpointRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tollgate_webhook_v1_UpdateEndpointResponse__Output>): grpc.ClientUnaryCall;
  updateEndpoint(argument: _tollgate_webhook_v1_UpdateEndpointRequest, callback: grpc.requestCallback<_tollgate_webhook_v1_UpdateEndpointResponse__Output>): grpc.ClientUnaryCall;
  
}

/**
 * Webhook endpoints of an account and what was delivered to them (Standard Webhooks 1.0).
 */
export interface WebhookServiceHandlers extends grpc.UntypedServiceImplementation {
  CreateEndpoint: grpc.handleUnaryCall<_tollgate_webhook_v1_CreateEndpointRequest__Output, _tollgate_webhook_v1_CreateEndpointResponse>;
  
  DeleteEndpoint: grpc.handleUnaryCall<_tollgate_webhook_v1_DeleteEndpointRequest__Output, _tollgate_webhook_v1_DeleteEndpointResponse>;
  
  GetEndpoint: grpc.handleUnaryCall<_tollgate_webhook_v1_GetEndpointRequest__Output, _tollgate_webhook_v1_GetEndpointResponse>;
  
  /**
   * Of all endpoints of an account, made within a span of time, oldest first.
   */
  ListAccountDeliveries: grpc.handleUnaryCall<_tollgate_webhook_v1_ListAccountDeliveriesRequest__Output, _tollgate_webhook_v1_ListAccountDeliveriesResponse>;
  
  /**
   * Of every account, for operators: those that are `auto_disabled`.
   */
  ListAutoDisabledEndpoints: grpc.handleUnaryCall<_tollgate_webhook_v1_ListAutoDisabledEndpointsRequest__Output, _tollgate_webhook_v1_ListAutoDisabledEndpointsResponse>;
  
  ListDeliveries: grpc.handleUnaryCall<_tollgate_webhook_v1_ListDeliveriesRequest__Output, _tollgate_webhook_v1_ListDeliveriesResponse>;
  
  ListEndpoints: grpc.handleUnaryCall<_tollgate_webhook_v1_ListEndpointsRequest__Output, _tollgate_webhook_v1_ListEndpointsResponse>;
  
  Redeliver: grpc.handleUnaryCall<_tollgate_webhook_v1_RedeliverRequest__Output, _tollgate_webhook_v1_RedeliverResponse>;
  
  RotateSecret: grpc.handleUnaryCall<_tollgate_webhook_v1_RotateSecretRequest__Output, _tollgate_webhook_v1_RotateSecretResponse>;
  
  SendTest: grpc.handleUnaryCall<_tollgate_webhook_v1_SendTestRequest__Output, _tollgate_webhook_v1_SendTestResponse>;
  
  UpdateEndpoint: grpc.handleUnaryCall<_tollgate_webhook_v1_UpdateEndpointRequest__Output, _tollgate_webhook_v1_UpdateEndpointResponse>;
  
}

export interface WebhookServiceDefinition extends grpc.ServiceDefinition {
  CreateEndpoint: MethodDefinition<_tollgate_webhook_v1_CreateEndpointRequest, _tollgate_webhook_v1_CreateEndpointResponse, _tollgate_webhook_v1_CreateEndpointRequest__Output, _tollgate_webhook_v1_CreateEndpointResponse__Output>
  DeleteEndpoint: MethodDefinition<_tollgate_webhook_v1_DeleteEndpointRequest, _tollgate_webhook_v1_DeleteEndpointResponse, _tollgate_webhook_v1_DeleteEndpointRequest__Output, _tollgate_webhook_v1_DeleteEndpointResponse__Output>
  GetEndpoint: MethodDefinition<_tollgate_webhook_v1_GetEndpointRequest, _tollgate_webhook_v1_GetEndpointResponse, _tollgate_webhook_v1_GetEndpointRequest__Output, _tollgate_webhook_v1_GetEndpointResponse__Output>
  ListAccountDeliveries: MethodDefinition<_tollgate_webhook_v1_ListAccountDeliveriesRequest, _tollgate_webhook_v1_ListAccountDeliveriesResponse, _tollgate_webhook_v1_ListAccountDeliveriesRequest__Output, _tollgate_webhook_v1_ListAccountDeliveriesResponse__Output>
  ListAutoDisabledEndpoints: MethodDefinition<_tollgate_webhook_v1_ListAutoDisabledEndpointsRequest, _tollgate_webhook_v1_ListAutoDisabledEndpointsResponse, _tollgate_webhook_v1_ListAutoDisabledEndpointsRequest__Output, _tollgate_webhook_v1_ListAutoDisabledEndpointsResponse__Output>
  ListDeliveries: MethodDefinition<_tollgate_webhook_v1_ListDeliveriesRequest, _tollgate_webhook_v1_ListDeliveriesResponse, _tollgate_webhook_v1_ListDeliveriesRequest__Output, _tollgate_webhook_v1_ListDeliveriesResponse__Output>
  ListEndpoints: MethodDefinition<_tollgate_webhook_v1_ListEndpointsRequest, _tollgate_webhook_v1_ListEndpointsResponse, _tollgate_webhook_v1_ListEndpointsRequest__Output, _tollgate_webhook_v1_ListEndpointsResponse__Output>
  Redeliver: MethodDefinition<_tollgate_webhook_v1_RedeliverRequest, _tollgate_webhook_v1_RedeliverResponse, _tollgate_webhook_v1_RedeliverRequest__Output, _tollgate_webhook_v1_RedeliverResponse__Output>
  RotateSecret: MethodDefinition<_tollgate_webhook_v1_RotateSecretRequest, _tollgate_webhook_v1_RotateSecretResponse, _tollgate_webhook_v1_RotateSecretRequest__Output, _tollgate_webhook_v1_RotateSecretResponse__Output>
  SendTest: MethodDefinition<_tollgate_webhook_v1_SendTestRequest, _tollgate_webhook_v1_SendTestResponse, _tollgate_webhook_v1_SendTestRequest__Output, _tollgate_webhook_v1_SendTestResponse__Output>
  UpdateEndpoint: MethodDefinition<_tollgate_webhook_v1_UpdateEndpointRequest, _tollgate_webhook_v1_UpdateEndpointResponse, _tollgate_webhook_v1_UpdateEndpointRequest__Output, _tollgate_webhook_v1_UpdateEndpointResponse__Output>
}
