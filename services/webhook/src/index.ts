export { type WebhookConfig, webhookConfigSchema } from './config';
export { createWebhookService, type WebhookEngines, type WebhookService } from './service';
export { webhookMigrations } from './storage/migrations';
