export { type StatsConfig, statsConfigSchema } from './config';
export { createStatsService, type StatsEngines, type StatsService } from './service';
export { statsMigrations } from './storage/migrations';
