import {
  type ConfigOf,
  defineConfig,
  integer,
  list,
  parsedList,
  shared,
  text,
  url,
} from '@tollgate/config';
import { DAY_MS, MINUTE_MS } from '@tollgate/core';
import { parseAddressEntry } from './auth/address-list';
import { parseSignerSecret, type SignerSecret } from './auth/signed-payload';

const MEGABYTE = 1024 * 1024;

/** Every setting of the gateway. */
export const gatewayConfigSchema = defineConfig(
  {
    bind: shared.bind,
    httpPort: shared.httpPort,
    trustedProxies: parsedList('TOLLGATE_TRUSTED_PROXIES', {
      default: [],
      itemMeaning: 'addresses or CIDR blocks',
      parseItem: parseAddressEntry,
      printItem: (entry) => entry,
      description: 'Proxies whose X-Forwarded-For is believed.',
    }),
    corsOrigins: list('TOLLGATE_CORS_ORIGINS', {
      default: [],
      itemPattern: /^https?:\/\/[^/,]+$/,
      itemMeaning: 'origins such as https://app.example.com',
      description: 'Browser origins that may call the API; none by default.',
    }),
    legacySunset: text('TOLLGATE_LEGACY_SUNSET', {
      default: '2026-06-01',
      pattern: /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/,
      patternMeaning: 'a date such as 2026-06-01',
      description: 'The UTC date from which the legacy paths answer 404.',
    }),
    publicUrl: text('TOLLGATE_PUBLIC_URL', {
      optional: true,
      pattern: /^(bound|https?:\/\/[^\s/?#@]+\/?)$/,
      patternMeaning: 'http(s)://host without a path, or bound',
      description:
        'The address under which people reach the gateway; signing in with a provider needs it. ' +
        'bound means the address that it binds, as with TARGET=all.',
    }),
    ...shared.redis,
    ...shared.kafka,
    currency: shared.currency,
    ...shared.rpcSecurity,
    completionAddress: shared.address('completion'),
    identityAddress: shared.address('identity'),
    routingAddress: shared.address('routing'),
    billingAddress: shared.address('billing'),
    webhookAddress: shared.address('webhook'),
    statsAddress: shared.address('stats'),
    consoleAddress: url('CONSOLE_ADDRESS', {
      optional: true,
      description: 'The HTTP address of the web console; without it /console answers 404.',
    }),
    singleGateway: shared.singleGateway,
    chatBytesMax: integer('TOLLGATE_GATEWAY_CHAT_BYTES_MAX', {
      default: 10 * MEGABYTE,
      min: 1024,
      max: 64 * MEGABYTE,
      description:
        'The largest body of a completion, a count of tokens, an explanation or an import of models.',
    }),
    managementBytesMax: integer('TOLLGATE_GATEWAY_MANAGEMENT_BYTES_MAX', {
      default: 256 * 1024,
      min: 1024,
      max: 4 * MEGABYTE,
      description: 'The largest body of all other requests.',
    }),
    bodyBytesMax: integer('TOLLGATE_GATEWAY_BODY_BYTES_MAX', {
      default: 512 * MEGABYTE,
      min: MEGABYTE,
      max: 65_536 * MEGABYTE,
      description:
        'Request bodies that may be held at once, from their arrival until the answer has ended; ' +
        'beyond it requests are refused with 503. One account may hold as much as it leaves free ' +
        'for others: alone half of it.',
    }),
    jsonDepthMax: integer('TOLLGATE_GATEWAY_JSON_DEPTH_MAX', {
      default: 64,
      min: 8,
      max: 256,
      description: 'The deepest nesting of a request body.',
    }),
    connectionsMax: integer('TOLLGATE_GATEWAY_CONNECTIONS_MAX', {
      default: 20_000,
      min: 1,
      max: 1_000_000,
      description: 'Open client connections beyond which new ones are closed at once.',
    }),
    pipelinedMax: integer('TOLLGATE_GATEWAY_PIPELINED_MAX', {
      default: 16,
      min: 0,
      max: 1000,
      description:
        'Requests that one connection may send ahead of its answers; more closes the connection.',
    }),
    headersTimeoutMs: integer('TOLLGATE_GATEWAY_HEADERS_TIMEOUT_MS', {
      default: 15_000,
      min: 1000,
      max: 120_000,
      description: 'How long a client may take to send its request headers.',
    }),
    requestTimeoutMs: integer('TOLLGATE_GATEWAY_REQUEST_TIMEOUT_MS', {
      default: MINUTE_MS,
      min: 1000,
      max: 600_000,
      description: 'How long a client may take to send a whole request.',
    }),
    connectionIdleMs: integer('TOLLGATE_GATEWAY_CONNECTION_IDLE_MS', {
      default: 65_000,
      min: 1000,
      max: 600_000,
      description:
        'How long an idle client connection stays open; longer than the proxies before it.',
    }),
    completionDeadlineMs: integer('TOLLGATE_GATEWAY_COMPLETION_DEADLINE_MS', {
      default: 630_000,
      min: 1000,
      max: 3_660_000,
      description:
        'How long one completion may take as a whole; more than a vendor call may, TOLLGATE_COMPLETION_TOTAL_TIMEOUT_MS.',
    }),
    drainAnswersMs: integer('TOLLGATE_GATEWAY_DRAIN_ANSWERS_MS', {
      default: 25_000,
      min: 0,
      max: 3_600_000,
      description: 'How long open answers may go on when the gateway stops, before they are cut.',
    }),
    completionInFlightMax: integer('TOLLGATE_GATEWAY_COMPLETION_IN_FLIGHT_MAX', {
      default: 1024,
      min: 1,
      max: 100_000,
      description:
        'Requests that one completion instance carries before the next is asked; an account may have as many of them as it leaves free, alone half, and a model three times as many, alone three quarters.',
    }),
    completionResolveMs: integer('TOLLGATE_GATEWAY_COMPLETION_RESOLVE_MS', {
      // Well within the time for which an instance that stops still serves.
      default: 1000,
      min: 500,
      max: 300_000,
      description: 'How often the addresses of the completion instances are looked up.',
    }),
    completionConnectMs: integer('TOLLGATE_GATEWAY_COMPLETION_CONNECT_MS', {
      default: 3000,
      min: 100,
      max: MINUTE_MS,
      description: 'How long a completion instance may take to accept the session of the gateway.',
    }),
    completionSilenceMs: integer('TOLLGATE_GATEWAY_COMPLETION_SILENCE_MS', {
      default: 10_000,
      min: 100,
      max: 600_000,
      description:
        'How often a completion instance is asked for a sign of life, and how long it may take.',
    }),
    completionQueueBytesMax: integer('TOLLGATE_GATEWAY_COMPLETION_QUEUE_BYTES_MAX', {
      default: 64 * MEGABYTE,
      min: MEGABYTE,
      max: 1024 * MEGABYTE,
      description: 'Prompts that may wait to be sent to one completion instance.',
    }),
    completionHeldBytesMax: integer('TOLLGATE_GATEWAY_COMPLETION_HELD_BYTES_MAX', {
      default: 4 * MEGABYTE,
      min: MEGABYTE,
      max: 1024 * MEGABYTE,
      description:
        'What may arrive for one stream after its reader became slow; more cuts the stream.',
    }),
    readerBytesMax: integer('TOLLGATE_GATEWAY_READER_BYTES_MAX', {
      default: 256 * MEGABYTE,
      min: MEGABYTE,
      max: 65_536 * MEGABYTE,
      description:
        'What all answers together may hold for readers slower than their vendor; more cuts those ' +
        'that hold.',
    }),
    controlDeadlineMs: integer('TOLLGATE_GATEWAY_CONTROL_DEADLINE_MS', {
      default: 5000,
      min: 100,
      max: MINUTE_MS,
      description: 'How long a call to another service than completion may take.',
    }),
    streamHeadWaitMs: integer('TOLLGATE_GATEWAY_STREAM_HEAD_WAIT_MS', {
      default: 10_000,
      min: 100,
      max: MINUTE_MS,
      description:
        'How long a stream waits for its first event before its headers are sent anyway.',
    }),
    streamKeepAliveMs: integer('TOLLGATE_GATEWAY_STREAM_KEEP_ALIVE_MS', {
      default: 15_000,
      min: 1000,
      max: MINUTE_MS,
      description:
        'The silence of a stream after which something is sent that clients pass over: a comment, ' +
        'or the `ping` of Messages.',
    }),
    logSample: integer('TOLLGATE_GATEWAY_LOG_SAMPLE', {
      default: 100,
      min: 1,
      max: 1_000_000,
      minWord: 'all',
      description:
        'One in this many successful requests is logged; refused and failed ones always are.',
    }),
    streamStallMs: integer('TOLLGATE_GATEWAY_STREAM_STALL_MS', {
      default: 30_000,
      min: 1000,
      max: 600_000,
      description: 'How long a client may take no byte of its answer before it is cut.',
    }),
    principalsMax: integer('TOLLGATE_GATEWAY_PRINCIPALS_MAX', {
      default: 100_000,
      min: 10,
      max: 10_000_000,
      description:
        'API keys whose principals are remembered; as many refused keys, users, and keys whose ' +
        'last use is not reported yet.',
    }),
    refusedKeyTtlMs: integer('TOLLGATE_GATEWAY_REFUSED_KEY_TTL_MS', {
      default: 5000,
      min: 0,
      max: MINUTE_MS,
      description: 'How long a refused key is refused without asking identity again.',
    }),
    keyVerificationsMax: integer('TOLLGATE_GATEWAY_KEY_VERIFICATIONS_MAX', {
      default: 1000,
      min: 1,
      max: 100_000,
      description: 'Unknown keys that may be verified at once.',
    }),
    principalStalenessMs: integer('TOLLGATE_GATEWAY_PRINCIPAL_STALENESS_MS', {
      default: MINUTE_MS,
      min: 0,
      max: 3_600_000,
      description: 'How long known keys serve while identity is away; 0 refuses at once.',
    }),
    keyUseReportMs: integer('TOLLGATE_GATEWAY_KEY_USE_REPORT_MS', {
      default: 30_000,
      min: 100,
      max: 600_000,
      description: 'How often identity is told which keys were used, for their last_used_at.',
    }),
    managementPerMinute: integer('TOLLGATE_GATEWAY_MANAGEMENT_PER_MINUTE', {
      default: 1200,
      min: 1,
      max: 1_000_000,
      description: 'Management calls of one account in a minute.',
    }),
    topUpSecrets: parsedList('TOLLGATE_TOPUP_SECRETS', {
      itemMeaning: 'name:whsec_base64 with at least 24 bytes',
      secret: true,
      parseItem: parseSignerSecret,
      printItem: ({ name }) => `${name}:***`,
      default: [],
      description:
        'Secrets of the payment systems that may credit accounts by POST /v1/topups/{name}; a ' +
        'name that stands there twice has both, and no two names have the same.',
    }),
    publicPerMinute: integer('TOLLGATE_GATEWAY_PUBLIC_PER_MINUTE', {
      default: 300,
      min: 1,
      max: 1_000_000,
      description: 'Calls without a bearer from one network in a minute.',
    }),
    pagesPerMinute: integer('TOLLGATE_GATEWAY_PAGES_PER_MINUTE', {
      default: 1200,
      min: 1,
      max: 1_000_000,
      description: 'Files of the console and of the documentation sent to one network in a minute.',
    }),
    loginPerMinute: integer('TOLLGATE_GATEWAY_LOGIN_PER_MINUTE', {
      default: 20,
      min: 1,
      max: 100_000,
      description:
        'Logins from one network in a minute, and codes that one account tries to redeem.',
    }),
    limitSubjectsMax: integer('TOLLGATE_GATEWAY_LIMIT_SUBJECTS_MAX', {
      default: 200_000,
      min: 100,
      max: 10_000_000,
      description: 'Accounts, keys and networks whose requests are counted in memory.',
    }),
    planRefreshMs: integer('TOLLGATE_GATEWAY_PLAN_REFRESH_MS', {
      default: 5000,
      min: 100,
      max: DAY_MS,
      description: 'How often the plan table is read from billing.',
    }),
    denialWindowMs: integer('TOLLGATE_GATEWAY_DENIAL_WINDOW_MS', {
      default: 10_000,
      min: 1000,
      max: 600_000,
      description:
        'How long denials are counted, and refused requests noted, before they are published.',
    }),
  },
  ({ redisUrl, redisSentinels, redisCluster, singleGateway, topUpSecrets }) => [
    ...findSharedSecrets(topUpSecrets),
    ...(redisUrl !== undefined || singleGateway
      ? []
      : [
          'REDIS_URL is missing: several gateways count limits in Redis. A single one may run ' +
            'without it: set TOLLGATE_SINGLE_GATEWAY=true.',
        ]),
    ...(redisSentinels === undefined || redisCluster === undefined
      ? []
      : ['REDIS_CLUSTER and REDIS_SENTINELS are both set: a cluster has no sentinels.']),
  ],
);

export type GatewayConfig = ConfigOf<typeof gatewayConfigSchema>;

/** What is signed does not say for which name: one event would be credited under each of them. */
function findSharedSecrets(secrets: readonly SignerSecret[]): readonly string[] {
  const names = new Map<string, string>();
  return secrets.flatMap(({ name, secret }) => {
    const text = secret.toString('base64');
    const first = names.get(text) ?? name;
    names.set(text, first);
    if (first === name) return [];
    return [
      `TOLLGATE_TOPUP_SECRETS gives ${first} and ${name} one secret: whoever has an event of one ` +
        'could have it credited again as one of the other. Give each a secret of its own.',
    ];
  });
}
