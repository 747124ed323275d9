export { type RoutingConfig, routingConfigSchema } from './config';
export { createRoutingService, type RoutingEngines, type RoutingService } from './service';
export { routingMigrations } from './storage/migrations';
