import { loadHost, runService } from '@tollgate/lifecycle';
import { identityConfigSchema } from './config';
import { createIdentityService } from './service';

const { config, host } = loadHost('identity', identityConfigSchema);
const service = createIdentityService(config, host);
void runService(host, service);
