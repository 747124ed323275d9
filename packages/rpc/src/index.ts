export type { CallInfo } from './call-info';
export { type CallOptions, type ClientDuplex, createRpcClient, type RpcClient } from './client';
export { type DefinedService, definitionOf, type Mutable, type Sent } from './definition';
export { fromFailure, toFailure } from './error-mapping';
export { followStream } from './follow-stream';
export { type RpcSecurity, readRpcSecurity } from './security';
export {
  createRpcServer,
  type Handlers,
  type PeerPolicy,
  type ResponseStream,
  type RpcServer,
  type ServerDuplex,
} from './server';
export { completionDefinition, FRAME_BYTES_MAX, payloadOfRequest } from './session/codec';
export { FrameQueue } from './session/frame-queue';
export {
  type SessionCall,
  type SessionHandlers,
  type SessionOutput,
  serveSession,
} from './session/server';
export { fromProtoUsageRecord, toProtoUsageRecord } from './usage-record';
export {
  fromCompletionPeriod,
  fromProtoChannelType,
  fromProtoIdempotency,
  fromProtoModelKind,
  fromProtoName,
  fromProtoOptionalTime,
  fromProtoPeriod,
  fromProtoText,
  fromProtoTime,
  toCompletionPeriod,
  toProtoChannelType,
  toProtoLimit,
  toProtoModelKind,
  toProtoName,
  toProtoPeriod,
  toProtoTime,
  toUint32,
  UINT32_MAX,
  UNLIMITED,
} from './wire-values';
