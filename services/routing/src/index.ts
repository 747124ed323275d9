export { type RoutingConfig, routingConfigSchema } from './config';
export { createRoutingService, type RoutingService } from './service';
export { SEALED_CREDENTIALS } from './storage/channel-store';
export { routingMigrations } from './storage/migrations';
