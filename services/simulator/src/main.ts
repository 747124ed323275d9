import { loadHost, runService } from '@tollgate/lifecycle';
import { simulatorConfigSchema } from './config';
import { createSimulatorService } from './service';

const { config, host } = loadHost('simulator', simulatorConfigSchema);
const service = createSimulatorService(config, host);
void runService(host, service);
