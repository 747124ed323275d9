export { type BillingConfig, billingConfigSchema } from './config';
export { type BillingEngines, type BillingService, createBillingService } from './service';
