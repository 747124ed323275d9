import { loadHost, runService } from '@tollgate/lifecycle';
import { webhookConfigSchema } from './config';
import { createWebhookService } from './service';

const { config, host } = loadHost('webhook', webhookConfigSchema);
const service = createWebhookService(config, host);
void runService(host, service);
