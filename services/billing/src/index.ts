export { type BillingConfig, billingConfigSchema } from './config';
export { type BillingEngines, type BillingService, createBillingService } from './service';
export { MIGRATIONS as billingMigrations } from './storage/migrations';
