export { createEgressClient, type EgressClient } from './egress-client';
export type { ExchangeHandle, ExchangeObserver, ResponseHeaders } from './exchange';
export type { FailurePhase, FailureReason } from './failure';
export type { CrowdedExchange, OriginPool } from './origin-pool';
