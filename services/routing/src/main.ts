import { loadHost, runService } from '@tollgate/lifecycle';
import { routingConfigSchema } from './config';
import { createRoutingService } from './service';

const { config, host } = loadHost('routing', routingConfigSchema);
const service = createRoutingService(config, host);
void runService(host, service);
