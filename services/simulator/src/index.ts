export { type SimulatorConfig, simulatorConfigSchema } from './config';
export { FAILURE_MODES, type FailureModeName } from './domain/failure-modes';
export { createSimulatorService, type SimulatorService } from './service';
