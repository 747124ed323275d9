export { type WebhookConfig, webhookConfigSchema } from './config';
export { createWebhookService } from './service';
export { SEALED_SIGNING_SECRETS } from './storage/endpoint-store';
export { webhookMigrations } from './storage/migrations';
