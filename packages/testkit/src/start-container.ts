import { createServer } from 'node:net';
import type { StartedTestContainer } from 'testcontainers';
import { ENGINES, type EngineName } from './engine-catalogue';

/** An engine in a container of its own. */
export interface StartedEngine {
  readonly url: string;
  stop(): Promise<void>;
}

/** Starts the engine's container and waits until it takes commands. */
export async function startContainer(name: EngineName): Promise<StartedEngine> {
  const { image, port, startupTimeoutMs } = ENGINES[name];
  // Loaded late: the library is large and most runs never need it.
  const { GenericContainer, Wait } = await import('testcontainers');
  const container = new GenericContainer(image).withStartupTimeout(startupTimeoutMs);
  if (name === 'kafka') {
    // A broker tells clients where to come back to, so the outer port must be known beforehand.
    const hostPort = await freePort();
    const started = await container
      .withExposedPorts({ container: hostPort, host: hostPort })
      .withEnvironment(kafkaEnvironment(hostPort))
      .withWaitStrategy(Wait.forLogMessage(/Kafka Server started/))
      .start();
    return { url: `${started.getHost()}:${hostPort}`, stop: () => stop(started) };
  }
  if (name === 'redis') {
    const started = await container
      .withExposedPorts(port)
      .withWaitStrategy(Wait.forLogMessage(/Ready to accept connections/))
      .start();
    return { url: `redis://${addressOf(started, port)}`, stop: () => stop(started) };
  }
  const started = await container
    .withExposedPorts(port)
    .withCommand(['mongod', '--replSet', 'rs0', '--bind_ip_all'])
    .withWaitStrategy(Wait.forLogMessage(/Waiting for connections/))
    .start();
  await initiateReplicaSet(started);
  const url = `mongodb://${addressOf(started, port)}/?directConnection=true`;
  return { url, stop: () => stop(started) };
}

async function initiateReplicaSet(started: StartedTestContainer): Promise<void> {
  const script = `
    rs.initiate({ _id: 'rs0', members: [{ _id: 0, host: 'localhost:27017' }] });
    while (!db.hello().isWritablePrimary) sleep(50);
  `;
  const { exitCode, output } = await started.exec(['mongosh', '--quiet', '--eval', script]);
  if (exitCode !== 0) throw new Error(`the replica set did not start: ${output}`);
}

function kafkaEnvironment(hostPort: number): Record<string, string> {
  return {
    KAFKA_NODE_ID: '1',
    KAFKA_PROCESS_ROLES: 'broker,controller',
    KAFKA_LISTENERS: `CLIENT://0.0.0.0:${hostPort},CONTROLLER://localhost:9093`,
    KAFKA_ADVERTISED_LISTENERS: `CLIENT://localhost:${hostPort}`,
    KAFKA_LISTENER_SECURITY_PROTOCOL_MAP: 'CLIENT:PLAINTEXT,CONTROLLER:PLAINTEXT',
    KAFKA_INTER_BROKER_LISTENER_NAME: 'CLIENT',
    KAFKA_CONTROLLER_LISTENER_NAMES: 'CONTROLLER',
    KAFKA_CONTROLLER_QUORUM_VOTERS: '1@localhost:9093',
    KAFKA_OFFSETS_TOPIC_REPLICATION_FACTOR: '1',
    KAFKA_TRANSACTION_STATE_LOG_REPLICATION_FACTOR: '1',
    KAFKA_TRANSACTION_STATE_LOG_MIN_ISR: '1',
    KAFKA_AUTO_CREATE_TOPICS_ENABLE: 'false',
    KAFKA_GROUP_INITIAL_REBALANCE_DELAY_MS: '0',
  };
}

function addressOf(started: StartedTestContainer, port: number): string {
  return `${started.getHost()}:${started.getMappedPort(port)}`;
}

async function stop(started: StartedTestContainer): Promise<void> {
  await started.stop();
}

/** A TCP port that nobody listens on at this moment. */
function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      const port = typeof address === 'object' && address !== null ? address.port : 0;
      probe.close(() => resolve(port));
    });
  });
}
