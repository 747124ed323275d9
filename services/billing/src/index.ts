export { type BillingConfig, billingConfigSchema } from './config';
export { createBillingService } from './service';
export { MIGRATIONS as billingMigrations } from './storage/migrations';
