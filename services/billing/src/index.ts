export { type BillingConfig, billingConfigSchema } from './config';
export { createBillingService } from './service';
export { findCurrency } from './storage/currency-store';
export { billingMigrations } from './storage/migrations';
