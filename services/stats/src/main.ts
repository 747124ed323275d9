import { loadHost, runService } from '@tollgate/lifecycle';
import { statsConfigSchema } from './config';
import { createStatsService } from './service';

const { config, host } = loadHost('stats', statsConfigSchema);
const service = createStatsService(config, host);
void runService(host, service);
