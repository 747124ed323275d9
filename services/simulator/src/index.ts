export { type SimulatorConfig, simulatorConfigSchema } from './config';
export { FAILURE_MODES, type FailureModeName } from './domain/failure-modes';
export {
  createSimulatorServer,
  type SimulatorServer,
  type SimulatorServerOptions,
} from './http/simulator-server';
export { createSimulatorService, type SimulatorService } from './service';
