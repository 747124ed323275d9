export type { ResolvedAddress, Resolver } from './address-guard';
export type { CollectedResponse } from './collect-response';
export {
  createEgressClient,
  type EgressClient,
  type EgressClientOptions,
  type OriginPoolOptions,
  type SingleRequest,
} from './egress-client';
export type {
  ExchangeHandle,
  ExchangeObserver,
  ExchangeRequest,
  ResponseHeaders,
} from './exchange';
export type { FailurePhase, FailureReason } from './failure';
export type { CollectRequest, OriginPool } from './origin-pool';
