import type { NamedSecret } from '@tollgate/core';
import { choice, flag, list, parsedList, port, secret, text, url } from './builders';
import { MASK } from './setting';

/** Services that other services call by gRPC, with their default ports. */
export const RPC_PORTS = {
  completion: 7101,
  identity: 7102,
  routing: 7103,
  billing: 7104,
  webhook: 7105,
  stats: 7106,
} as const;

export type RpcServiceName = keyof typeof RPC_PORTS;

const SECRET_BYTES_MIN = 32;
const HOST_PORT = /^(\[[0-9a-fA-F:]+\]|[A-Za-z0-9._-]+):\d{1,5}$/;
const LISTEN = /^(unix:.+|(\[[0-9a-fA-F:]+\]|[A-Za-z0-9._-]+):\d{1,5})$/;
const ADDRESS = /^(unix:.+|dns:\/\/\/.+:\d{1,5}|(\[[0-9a-fA-F:]+\]|[A-Za-z0-9._-]+):\d{1,5})$/;

/** Where the named service's gRPC server listens: `host:port` or `unix:/path`. */
function listen(service: RpcServiceName) {
  return text(`${service.toUpperCase()}_LISTEN`, {
    default: `0.0.0.0:${RPC_PORTS[service]}`,
    pattern: LISTEN,
    patternMeaning: 'host:port or unix:/path',
    description: `Where the ${service} service's gRPC server listens.`,
  });
}

/** Where its peers reach the named service. */
function address(service: RpcServiceName) {
  return text(`${service.toUpperCase()}_ADDRESS`, {
    default: `dns:///${service}:${RPC_PORTS[service]}`,
    pattern: ADDRESS,
    patternMeaning: 'dns:///name:port, host:port or unix:/path',
    description: `Where its peers reach the ${service} service by gRPC.`,
  });
}

/** Hosts that one kind of outgoing request may reach though their address is private. */
export function allowedHosts(name: string, description: string) {
  return list(name, {
    default: [],
    itemMeaning: 'host or host:port',
    itemPattern: /^(\[[0-9a-fA-F:]+\]|[A-Za-z0-9._-]+)(:\d{1,5})?$/,
    description,
  });
}

function parseNamedSecret(item: string): NamedSecret | undefined {
  const match = /^([A-Za-z0-9_-]{1,32}):([A-Za-z0-9+/_-]+={0,2})$/.exec(item);
  if (match === null) return undefined;
  const [, id = '', encoded = ''] = match;
  const bytes = Buffer.from(encoded, 'base64');
  return bytes.length < SECRET_BYTES_MIN ? undefined : { id, secret: bytes };
}

/** A rotatable set of secrets. */
export function namedSecrets(name: string, description: string) {
  return parsedList(name, {
    itemMeaning: 'id:base64 with at least 32 bytes, newest first',
    secret: true,
    parseItem: parseNamedSecret,
    printItem: (item: NamedSecret) => `${item.id}:${MASK}`,
    description,
  });
}

/** How service calls are protected: spread into the settings of servers and clients. */
const rpcSecurity = {
  serviceSecret: secret('TOLLGATE_SERVICE_SECRET', {
    minLength: 32,
    description: 'The secret that signs the tokens services show each other.',
  }),
  previousServiceSecret: secret('TOLLGATE_SERVICE_SECRET_PREVIOUS', {
    optional: true,
    minLength: 32,
    description: 'The secret before this one, while services that have only that one still run.',
  }),
  plaintextRpc: flag('TOLLGATE_RPC_PLAINTEXT', {
    default: false,
    description: 'Allows gRPC without TLS outside unix sockets, for networks that encrypt already.',
  }),
  tlsCertFile: text('TOLLGATE_TLS_CERT_FILE', {
    optional: true,
    description: 'PEM file of the certificate this process shows.',
  }),
  tlsKeyFile: text('TOLLGATE_TLS_KEY_FILE', {
    optional: true,
    description: "PEM file of that certificate's private key.",
  }),
  tlsCaFile: text('TOLLGATE_TLS_CA_FILE', {
    optional: true,
    description: 'PEM file of the authority that other services are checked against.',
  }),
};

/** How the brokers are reached: spread into the settings of whoever publishes or listens. */
const kafka = {
  kafkaBrokers: list('KAFKA_BROKERS', {
    optional: true,
    itemPattern: HOST_PORT,
    itemMeaning: 'host:port',
    description: 'The Kafka brokers to bootstrap from.',
  }),
  kafkaTls: flag('KAFKA_TLS', {
    default: false,
    description: 'Whether the brokers are spoken to over TLS.',
  }),
  kafkaTlsCaFile: text('KAFKA_TLS_CA_FILE', {
    optional: true,
    description:
      'PEM file of the authority that the brokers are checked against; without one those that Node brings.',
  }),
  kafkaTlsCertFile: text('KAFKA_TLS_CERT_FILE', {
    optional: true,
    description: 'PEM file of the certificate that this process shows to the brokers.',
  }),
  kafkaTlsKeyFile: text('KAFKA_TLS_KEY_FILE', {
    optional: true,
    description: "PEM file of that certificate's private key.",
  }),
  kafkaSasl: choice('KAFKA_SASL_MECHANISM', {
    choices: ['none', 'plain', 'scram-sha-256', 'scram-sha-512', 'oauthbearer'],
    default: 'none',
    description: 'How this process tells the brokers who it is.',
  }),
  kafkaSaslUsername: text('KAFKA_SASL_USERNAME', {
    optional: true,
    description: 'The name for the brokers; with oauthbearer the id of an OAuth client.',
  }),
  kafkaSaslPassword: secret('KAFKA_SASL_PASSWORD', {
    optional: true,
    description: 'The password for the brokers; with oauthbearer the secret of the OAuth client.',
  }),
  kafkaTokenUrl: url('KAFKA_SASL_TOKEN_URL', {
    optional: true,
    description: 'Where oauthbearer gets tokens, by the client credentials grant.',
  }),
};

/** How the counters are reached: spread into the settings of whoever counts. */
const redis = {
  redisUrl: url('REDIS_URL', {
    optional: true,
    schemes: ['redis', 'rediss'],
    credentials: true,
    description:
      'The Redis or Valkey that holds the limit counters of several gateways; rediss is over TLS.',
  }),
  redisTlsCaFile: text('REDIS_TLS_CA_FILE', {
    optional: true,
    description:
      'PEM file of the authority that Redis is checked against; without one those that Node brings.',
  }),
  redisSentinels: list('REDIS_SENTINELS', {
    optional: true,
    itemPattern: HOST_PORT,
    itemMeaning: 'host:port',
    description:
      'Sentinels that know where Redis is; the host of REDIS_URL is the name that they know it by.',
  }),
  redisCluster: list('REDIS_CLUSTER', {
    optional: true,
    itemPattern: HOST_PORT,
    itemMeaning: 'host:port',
    description:
      'Some servers of a Redis Cluster, which tell the others; REDIS_URL says user, password and ' +
      'whether over TLS, and its host is not asked.',
  }),
};

/** One definition for each variable that several services read. */
export const shared = {
  listen,
  address,
  mongodbUri: url('MONGODB_URI', {
    schemes: ['mongodb', 'mongodb+srv'],
    credentials: true,
    severalHosts: true,
    description:
      'The MongoDB deployment, a replica set in production. Its waitQueueTimeoutMS (5000 when absent) is how long a command waits for a connection, its connectTimeoutMS (5000) how long one may take to open.',
  }),
  kafka,
  redis,
  dataDirectory: text('TOLLGATE_DATA_DIR', {
    default: './.tollgate',
    description: 'Directory for everything kept on local disk: spool, generated secrets, store.',
  }),
  bind: text('TOLLGATE_BIND', {
    default: '0.0.0.0',
    description: 'The address that the HTTP servers bind; 127.0.0.1 with TARGET=all.',
  }),
  httpPort: port('TOLLGATE_HTTP_PORT', {
    default: 8080,
    description: 'The public HTTP port; 0 takes any free one.',
  }),
  adminPort: port('TOLLGATE_ADMIN_PORT', {
    default: 9090,
    description: 'The port of /livez, /readyz with details and /metrics; 0 takes any free one.',
  }),
  currency: text('TOLLGATE_CURRENCY', {
    default: 'USD',
    pattern: /^[A-Z]{3}$/,
    patternMeaning: 'three capital letters (ISO 4217)',
    description:
      'The one currency of the deployment. Billing refuses to start with another one than its first.',
  }),
  singleGateway: flag('TOLLGATE_SINGLE_GATEWAY', {
    default: false,
    description: 'States that there is one gateway only, which then counts limits in memory.',
  }),
  rpcSecurity,
  sealingKeys: namedSecrets(
    'TOLLGATE_SEALING_KEYS',
    'Keys that seal what is secret at rest: vendor credentials, secrets of webhooks, private keys of access tokens, kept answers.',
  ),
  egressAllowedHosts: allowedHosts(
    'TOLLGATE_EGRESS_ALLOWED_HOSTS',
    'Hosts that vendors and login providers may have though their address is private.',
  ),
  initOperatorEmail: text('TOLLGATE_INIT_OPERATOR_EMAIL', {
    default: 'operator@tollgate.local',
    pattern: /^[^@\s]+@[^@\s]+$/,
    patternMeaning: 'an email address',
    description: 'Login of the operator that the first start creates.',
  }),
  initOperatorPassword: secret('TOLLGATE_INIT_OPERATOR_PASSWORD', {
    optional: true,
    minLength: 12,
    description: 'Password of the operator that the first start creates.',
  }),
} as const;
