import { READY, readinessFrom, type ServiceHost, type ServiceModule } from '@tollgate/lifecycle';
import type { SimulatorConfig } from './config';
import { createSimulatorServer } from './http/simulator-server';
import { createSimulatorMetrics } from './metrics';

/** The simulator as a module of a process. */
export interface SimulatorService extends ServiceModule {
  /** The base address for a channel, `http://host:port/v1`; undefined before `start`. */
  baseUrl(): string | undefined;
}

export function createSimulatorService(
  config: SimulatorConfig,
  host: ServiceHost,
): SimulatorService {
  const { clock, logger } = host;
  const onOver = createSimulatorMetrics(host.metrics);
  const server = createSimulatorServer(config, { clock, logger, onOver });
  let baseUrl: string | undefined;
  return {
    name: 'simulator',
    baseUrl: () => baseUrl,
    async start() {
      const { url } = await server.listen();
      baseUrl = `${url}/v1`;
      // No more than that: whether a channel uses it is what routing tells.
      logger.debug({ baseUrl }, 'the simulator listens');
    },
    // The module table bounds the wait.
    drain: () => server.drain(),
    async stop() {
      await server.close();
      baseUrl = undefined;
    },
    readiness: () => (baseUrl === undefined ? readinessFrom(['not listening']) : READY),
  };
}
