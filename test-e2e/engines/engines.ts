import type { RunningEngine, StartOptions } from './engine-process';
import { kafkaObstacle, startKafka } from './kafka';
import { mongodbObstacle, startMongodb } from './mongodb';
import { redisObstacle, startRedis } from './redis';

/** What a command line knows of an engine. */
export interface EngineKind {
  /** Variable that tells tests its address, or with `_UNAVAILABLE` why there is none. */
  readonly variable: string;
  /** Why it cannot be had here; undefined when it can. */
  obstacle(): string | undefined;
  start(options: StartOptions): Promise<RunningEngine>;
}

export const ENGINES: Readonly<Record<string, EngineKind>> = {
  kafka: { variable: 'TOLLGATE_TEST_KAFKA', obstacle: kafkaObstacle, start: startKafka },
  redis: { variable: 'TOLLGATE_TEST_REDIS', obstacle: redisObstacle, start: startRedis },
  mongodb: { variable: 'TOLLGATE_TEST_MONGODB', obstacle: mongodbObstacle, start: startMongodb },
};
