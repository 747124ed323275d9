import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findQuietPort } from '../support/network/free-port';
import { isInstalled, runCommand } from '../support/run-command';
import {
  ask,
  type EngineCommand,
  makeDataDirectory,
  type RunningEngine,
  type StartOptions,
  startEngine,
} from './engine-process';
import { cached, findCached, type Report, step } from './installation';
import type { Secured } from './secured';

const KAFKA_VERSION = '4.3.1';
const LOG4J_VERSION = '2.25.4';
const CACHE_ENTRY = `kafka-${KAFKA_VERSION}`;
const DOWNLOAD_TIMEOUT_MS = 300_000;
const FORMAT_TIMEOUT_MS = 60_000;
const START_TIMEOUT_MS = 60_000;
/** A broker that stands still for longer loses its topics for a while. */
const SESSION_MS = 6_000;
/** After kill -9 it is let in again only once its old session has ended. */
const KILLED_SESSION_MS = 1_500;
// One small JVM on a shared machine: the quick compiler alone starts it in half the time.
const JVM_OPTIONS = ['-Xmx512m', '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1'];

/** Why no broker can be had here; undefined when one can. */
export function kafkaObstacle(): string | undefined {
  if (!isInstalled('java')) return 'java is not installed';
  if (findCached(CACHE_ENTRY) === undefined && !isInstalled('mvn')) {
    return `mvn is not installed and no cached Kafka ${KAFKA_VERSION} was found`;
  }
  return undefined;
}

/**
 * Starts a real broker, one KRaft node on loopback, on free ports and fresh data. A secured one is
 * reached at its address over TLS, by PLAIN, SCRAM-SHA-256 or OAUTHBEARER; it believes unsigned
 * tokens.
 */
export async function startKafka(options: StartOptions, secured?: Secured): Promise<RunningEngine> {
  const libraries = await downloadKafka(options.report);
  const dataDirectory = await makeDataDirectory('kafka');
  try {
    const command = await prepareBroker(libraries, dataDirectory, {
      report: options.report,
      secured,
      sessionMs: options.isKilled ? KILLED_SESSION_MS : SESSION_MS,
    });
    return await startEngine(command, options);
  } catch (error) {
    await rm(dataDirectory, { recursive: true, force: true });
    throw error;
  }
}

/** Fetches the broker with Maven, once per cache; gives the directory of its libraries. */
async function downloadKafka(report: Report): Promise<string> {
  return findCached(CACHE_ENTRY) ?? step(report, `kafka ${KAFKA_VERSION} downloaded`, download);
}

async function download(): Promise<string> {
  return cached(CACHE_ENTRY, async (directory) => {
    const project = await mkdtemp(join(tmpdir(), 'tollgate-pom-'));
    try {
      const pom = join(project, 'pom.xml');
      await writeFile(pom, POM);
      const goal = ['dependency:copy-dependencies', '-DincludeScope=runtime'];
      const args = ['-q', '-B', '-f', pom, ...goal, `-DoutputDirectory=${directory}`];
      await runCommand('mvn', args, { timeoutMs: DOWNLOAD_TIMEOUT_MS });
    } finally {
      await rm(project, { recursive: true, force: true });
    }
  });
}

interface BrokerOptions {
  readonly report: Report;
  readonly secured: Secured | undefined;
  readonly sessionMs: number;
}

async function prepareBroker(
  libraries: string,
  dataDirectory: string,
  { report, secured, sessionMs }: BrokerOptions,
): Promise<EngineCommand> {
  const clientPort = await findQuietPort();
  const controllerPort = await findQuietPort();
  const properties = join(dataDirectory, 'server.properties');
  const logging = join(dataDirectory, 'log4j2.properties');
  const securedPort = await findQuietPort();
  const ports = { clientPort, controllerPort, securedPort };
  await writeFile(properties, serverProperties(dataDirectory, ports, { secured, sessionMs }));
  await writeFile(logging, LOGGING);
  const java = [...JVM_OPTIONS, `-Dlog4j2.configurationFile=${logging}`, '-cp', `${libraries}/*`];
  await step(report, 'kafka data formatted', async () => {
    const users = secured === undefined ? [] : ['--add-scram', scramUser(secured)];
    // With `=`, as an id may begin with a dash, which alone would be taken for an option.
    const clusterId = `--cluster-id=${createClusterId()}`;
    const format = ['format', '--standalone', clusterId, '-c', properties, ...users];
    await runCommand('java', [...java, 'kafka.tools.StorageTool', ...format], {
      timeoutMs: FORMAT_TIMEOUT_MS,
    });
  });
  return {
    name: 'kafka',
    url: `127.0.0.1:${secured === undefined ? clientPort : securedPort}`,
    program: 'java',
    args: [...java, 'kafka.Kafka', properties],
    dataDirectory,
    startTimeoutMs: START_TIMEOUT_MS,
    isReady: async (log) => log.includes('Kafka Server started') && speaksKafka(clientPort),
  };
}

/** A UUID as Kafka writes it; asking its own tool for one starts a virtual machine more. */
const createClusterId = () =>
  Buffer.from(randomUUID().replaceAll('-', ''), 'hex').toString('base64url');

async function speaksKafka(port: number): Promise<boolean> {
  const answer = await ask(port, apiVersionsRequest());
  return answer.length >= 10 && answer.readInt32BE(4) === 7 && answer.readInt16BE(8) === 0;
}

/** Asks which API versions the broker has: request 18, the one that needs nothing else. */
export function apiVersionsRequest(): Buffer {
  const request = Buffer.alloc(14);
  request.writeInt32BE(10, 0); // length of the rest
  request.writeInt16BE(18, 4); // ApiVersions
  request.writeInt16BE(0, 6); // its version 0
  request.writeInt32BE(7, 8); // correlation id, which the answer repeats
  request.writeInt16BE(-1, 12); // no client id
  return request;
}

interface BrokerPorts {
  /** Without a password, for the broker itself; for everybody where nothing is secured. */
  readonly clientPort: number;
  readonly controllerPort: number;
  readonly securedPort: number;
}

const scramUser = ({ user, password }: Secured) =>
  `SCRAM-SHA-256=[name=${user},password=${password}]`;

const SECURITY = 'org.apache.kafka.common.security';

function securedProperties({ certificate, user, password }: Secured): string {
  const listener = 'listener.name.secured';
  const bearer = `${SECURITY}.oauthbearer`;
  const handler = (name: string) => `${bearer}.internals.unsecured.OAuthBearerUnsecured${name}`;
  return `
${listener}.ssl.keystore.type=PEM
${listener}.ssl.keystore.location=${certificate.bothFile}
${listener}.sasl.enabled.mechanisms=PLAIN,SCRAM-SHA-256,OAUTHBEARER
${listener}.plain.sasl.jaas.config=${SECURITY}.plain.PlainLoginModule required user_${user}="${password}";
${listener}.scram-sha-256.sasl.jaas.config=${SECURITY}.scram.ScramLoginModule required;
${listener}.oauthbearer.sasl.jaas.config=${bearer}.OAuthBearerLoginModule required unsecuredLoginStringClaim_sub="broker";
${listener}.oauthbearer.sasl.login.callback.handler.class=${handler('LoginCallbackHandler')}
${listener}.oauthbearer.sasl.server.callback.handler.class=${handler('ValidatorCallbackHandler')}
`;
}

function serverProperties(
  directory: string,
  { clientPort, controllerPort, securedPort }: BrokerPorts,
  { secured, sessionMs }: Pick<BrokerOptions, 'secured' | 'sessionMs'>,
): string {
  const more = secured === undefined ? '' : `,SECURED://127.0.0.1:${securedPort}`;
  return `
process.roles=broker,controller
node.id=1
controller.quorum.bootstrap.servers=127.0.0.1:${controllerPort}
listeners=CLIENT://127.0.0.1:${clientPort},CONTROLLER://127.0.0.1:${controllerPort}${more}
advertised.listeners=CLIENT://127.0.0.1:${clientPort}${more}
listener.security.protocol.map=CLIENT:PLAINTEXT,CONTROLLER:PLAINTEXT,SECURED:SASL_SSL
inter.broker.listener.name=CLIENT
controller.listener.names=CONTROLLER
log.dirs=${join(directory, 'data')}
auto.create.topics.enable=false
offsets.topic.replication.factor=1
offsets.topic.num.partitions=4
transaction.state.log.replication.factor=1
transaction.state.log.min.isr=1
share.coordinator.state.topic.replication.factor=1
share.coordinator.state.topic.min.isr=1
group.initial.rebalance.delay.ms=0
broker.session.timeout.ms=${sessionMs}
broker.heartbeat.interval.ms=300
${secured === undefined ? '' : securedProperties(secured)}`.trimStart();
}

const LOGGING = `
rootLogger.level=info
rootLogger.appenderRef.out.ref=out
appender.out.type=Console
appender.out.name=out
appender.out.layout.type=PatternLayout
appender.out.layout.pattern=%d{HH:mm:ss.SSS} %p %c{1} %m%n
`.trimStart();

const POM = `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>tollgate.test</groupId>
  <artifactId>kafka</artifactId>
  <version>1</version>
  <dependencies>
    <dependency>
      <groupId>org.apache.kafka</groupId>
      <artifactId>kafka_2.13</artifactId>
      <version>${KAFKA_VERSION}</version>
    </dependency>
    <dependency>
      <groupId>org.apache.logging.log4j</groupId>
      <artifactId>log4j-slf4j-impl</artifactId>
      <version>${LOG4J_VERSION}</version>
    </dependency>
  </dependencies>
</project>
`;
