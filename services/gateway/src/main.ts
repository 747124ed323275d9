import { loadHost, runService } from '@tollgate/lifecycle';
import { gatewayConfigSchema } from './config';
import { createGatewayService } from './service';

const { config, host } = loadHost('gateway', gatewayConfigSchema);
const service = createGatewayService(config, host);
void runService(host, service);
