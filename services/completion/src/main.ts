import { loadHost, runService } from '@tollgate/lifecycle';
import { completionConfigSchema } from './config';
import { createCompletionService } from './service';

const { config, host } = loadHost('completion', completionConfigSchema);
const service = createCompletionService(config, host);
void runService(host, service);
