export { type SimulatorConfig, simulatorConfigSchema } from './config';
export { createSimulatorService, type SimulatorService } from './service';
