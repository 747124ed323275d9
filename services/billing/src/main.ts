import { loadHost, runService } from '@tollgate/lifecycle';
import { billingConfigSchema } from './config';
import { createBillingService } from './service';

const { config, host } = loadHost('billing', billingConfigSchema);
const service = createBillingService(config, host);
void runService(host, service);
