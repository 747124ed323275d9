export { type StatsConfig, statsConfigSchema } from './config';
export { createStatsService } from './service';
export { statsMigrations } from './storage/migrations';
