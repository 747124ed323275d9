export { type GatewayConfig, gatewayConfigSchema } from './config';
export { openRedis } from './limits/open-redis';
// What the operator's commands read of the API: a field that is renamed does not compile there.
export type { ShownAccount } from './routes/accounts/accounts';
export type { AlertList } from './routes/alerts/alerts';
export type { OperatorBalance } from './routes/billing/account-balance';
export type { AuditAnswer } from './routes/billing/audit';
export type { ShownCode } from './routes/billing/codes';
export type { LedgerItem } from './routes/billing/ledger-items';
export type { ShownChannel } from './routes/channels/channels';
export type {
  OperatorRefusedRequest,
  RefusedRequestStory,
} from './routes/requests/refused-request';
export type { OperatorRequestStory } from './routes/requests/requests';
export type { StatsMetrics } from './routes/stats/stats';
export { createGatewayService, type GatewayService } from './service';
