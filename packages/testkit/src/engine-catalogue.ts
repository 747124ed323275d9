/** The engines that a test may ask for. */
export type EngineName = 'kafka' | 'redis' | 'mongodb';

/** How one engine is found or started. */
export interface EngineDefinition {
  /** Variable that holds the address of an engine that runs already. */
  readonly variable: string;
  readonly image: string;
  readonly port: number;
  readonly startupTimeoutMs: number;
}

export const ENGINES: Readonly<Record<EngineName, EngineDefinition>> = {
  kafka: {
    variable: 'TOLLGATE_TEST_KAFKA',
    image: 'apache/kafka:4.3.1',
    port: 9092,
    startupTimeoutMs: 90_000,
  },
  redis: {
    variable: 'TOLLGATE_TEST_REDIS',
    image: 'redis:8-alpine',
    port: 6379,
    startupTimeoutMs: 60_000,
  },
  mongodb: {
    variable: 'TOLLGATE_TEST_MONGODB',
    image: 'mongo:8',
    port: 27017,
    startupTimeoutMs: 90_000,
  },
};
