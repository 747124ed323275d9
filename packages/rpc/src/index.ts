export type { BreakerPolicy } from './breaker';
export type { CallInfo } from './call-info';
export { type CallOptions, type ClientDuplex, createRpcClient, type RpcClient } from './client';
export { type ControlPlaneName, completionDefinition, controlPlane } from './definition';
export { fromStatus, toStatus } from './error-mapping';
export { followStream } from './follow-stream';
export type { MessageListener, MessageStream } from './message-stream';
export { type RpcSecurityConfig, readRpcSecurity } from './read-security';
export type { RpcSecurity, RpcTls } from './security';
export {
  type CallerPolicy,
  createRpcServer,
  type DuplexCall,
  type Handlers,
  type ResponseStream,
  type RpcServer,
  type RpcServerLimits,
} from './server';
export { SERVICE_NAMES, type ServiceName } from './service-name';
