import { type Environment, RPC_PORTS } from '@tollgate/config';

/** Settings that the embedded topology brings along in place of configuration. */
export interface EmbeddedSettings {
  readonly serviceSecret: string;
  readonly sealingKeys: string;
  readonly keyPeppers: string;
  readonly operatorPassword: string;
  readonly mongodbUri: string;
  /** Path of the unix socket of a service. */
  readonly socket: (service: string) => string;
}

/** Stands for what only a start makes; good enough to check a configuration with. */
export const PLACEHOLDER_SETTINGS: EmbeddedSettings = {
  serviceSecret: 'made at the first start, kept in the data directory',
  sealingKeys: `k1:${'A'.repeat(44)}`,
  keyPeppers: `p1:${'A'.repeat(44)}`,
  operatorPassword: 'made and shown at the first start',
  mongodbUri: 'mongodb://embedded.invalid/tollgate',
  socket: (service) => `/made-at-start/${service}.sock`,
};

/**
 * Variables that may also come from the file of `<NAME>_FILE`: `isGiven` looks for a file of these
 * alone.
 */
const SECRETS = [
  'TOLLGATE_SERVICE_SECRET',
  'TOLLGATE_SEALING_KEYS',
  'TOLLGATE_KEY_PEPPERS',
  'TOLLGATE_INIT_OPERATOR_PASSWORD',
  'MONGODB_URI',
  'REDIS_URL',
];

/**
 * The variables that the embedded topology adds: loopback, unix sockets, an embedded store and
 * generated secrets. Whatever the operator has set stays as it is.
 */
export function embeddedAdditions(
  environment: Environment,
  settings: EmbeddedSettings,
): Environment {
  const wanted: Record<string, string> = {
    TOLLGATE_BIND: '127.0.0.1',
    // The address that the gateway binds.
    TOLLGATE_PUBLIC_URL: 'bound',
    TOLLGATE_SHUTDOWN_WAIT_MS: '0',
    TOLLGATE_SERVICE_SECRET: settings.serviceSecret,
    TOLLGATE_SEALING_KEYS: settings.sealingKeys,
    TOLLGATE_KEY_PEPPERS: settings.keyPeppers,
    TOLLGATE_INIT_OPERATOR_PASSWORD: settings.operatorPassword,
    TOLLGATE_SIMULATOR_PORT: '0',
    TOLLGATE_CONSOLE_BIND: '127.0.0.1',
    TOLLGATE_CONSOLE_PORT: '0',
    TOLLGATE_SINGLE_GATEWAY: isGiven(environment, 'REDIS_URL') ? 'false' : 'true',
    MONGODB_URI: settings.mongodbUri,
    // In one process, publishing waits until stats has stored the events: so stats lingers for less
    // time, and completion publishes larger batches.
    TOLLGATE_COMPLETION_PUBLISH_RECORDS_MAX: '1000',
    TOLLGATE_STATS_LINGER_MS: '250',
  };
  for (const service of Object.keys(RPC_PORTS)) {
    const address = `unix:${settings.socket(service)}`;
    wanted[`${service.toUpperCase()}_LISTEN`] = address;
    wanted[`${service.toUpperCase()}_ADDRESS`] = address;
  }
  return Object.fromEntries(Object.entries(wanted).filter(([name]) => !isGiven(environment, name)));
}

/** As a start of the whole product completes it, with placeholders for what only a start makes. */
export function withPlaceholders(environment: Environment): Environment {
  return { ...environment, ...embeddedAdditions(environment, PLACEHOLDER_SETTINGS) };
}

/** Whether the operator has set the variable, directly or through a file. */
export function isGiven(environment: Environment, name: string): boolean {
  const isSet = (variable: string) => (environment[variable] ?? '') !== '';
  return isSet(name) || (SECRETS.includes(name) && isSet(`${name}_FILE`));
}
