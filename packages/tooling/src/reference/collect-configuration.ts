import { dirname, join } from 'node:path';
import { allInOneConfigSchema } from '@tollgate/all-in-one';
import { billingConfigSchema } from '@tollgate/billing';
import { completionConfigSchema } from '@tollgate/completion';
import { type ConfigSchema, describeConfig, type Environment } from '@tollgate/config';
import { gatewayConfigSchema } from '@tollgate/gateway';
import {
  identityConfigSchema,
  importKeysConfigSchema,
  resetCodeConfigSchema,
} from '@tollgate/identity';
import { hostConfigSchema } from '@tollgate/lifecycle';
import { routingConfigSchema } from '@tollgate/routing';
import { simulatorConfigSchema } from '@tollgate/simulator';
import { statsConfigSchema } from '@tollgate/stats';
import { webhookConfigSchema } from '@tollgate/webhook';
import { ROOT } from '../repository';
import { type ConfigurationReference, EVERY_PROCESS } from './configuration-page';
import { mergeReaders, type ReaderSettings } from './read-settings';

interface ReaderSchema {
  readonly reader: string;
  readonly schema: Pick<ConfigSchema<unknown>, 'settings'>;
}

/** Parts of the all-in-one process that only its own code imports. */
interface ConsoleServer {
  readonly consoleConfigSchema: ConfigSchema<unknown>;
}
interface CommandConfigs {
  readonly storeConfigSchema: ConfigSchema<unknown>;
  readonly sealingConfigSchema: ConfigSchema<unknown>;
  readonly currencyConfigSchema: ConfigSchema<unknown>;
}
interface EmbeddedEnvironment {
  embeddedAdditions(environment: Environment, settings: EmbeddedSettings): Environment;
}
interface EmbeddedSettings {
  readonly serviceSecret: string;
  readonly sealingKeys: string;
  readonly keyPeppers: string;
  readonly operatorPassword: string;
  readonly mongodbUri: string;
  readonly socket: (service: string) => string;
}

const MADE = 'made at the first start';

/** In place of what a start makes: words, because the page shows them. */
const MADE_SETTINGS: EmbeddedSettings = {
  serviceSecret: MADE,
  sealingKeys: MADE,
  keyPeppers: MADE,
  operatorPassword: `${MADE} and shown once`,
  mongodbUri: 'a store of its own',
  socket: () => 'private',
};

/** Every schema of the workspace, by who reads it. */
export function collectSchemas(): readonly ReaderSchema[] {
  const { consoleConfigSchema } = loadInside<ConsoleServer>(
    '@tollgate/all-in-one',
    'console-server',
  );
  const commands = loadInside<CommandConfigs>('@tollgate/all-in-one', 'config');
  return [
    { reader: EVERY_PROCESS, schema: hostConfigSchema },
    { reader: 'gateway', schema: gatewayConfigSchema },
    { reader: 'completion', schema: completionConfigSchema },
    { reader: 'routing', schema: routingConfigSchema },
    { reader: 'billing', schema: billingConfigSchema },
    { reader: 'identity', schema: identityConfigSchema },
    { reader: 'keys import', schema: importKeysConfigSchema },
    { reader: 'user reset-password', schema: resetCodeConfigSchema },
    { reader: 'backup, restore, migrate, doctor', schema: commands.storeConfigSchema },
    { reader: 'doctor', schema: commands.sealingConfigSchema },
    { reader: 'doctor', schema: commands.currencyConfigSchema },
    { reader: 'webhook', schema: webhookConfigSchema },
    { reader: 'stats', schema: statsConfigSchema },
    { reader: 'console', schema: consoleConfigSchema },
    { reader: 'simulator', schema: simulatorConfigSchema },
    { reader: 'all-in-one', schema: allInOneConfigSchema },
  ];
}

/** Every setting of the workspace, by who reads it. */
export function collectReaders(): readonly ReaderSettings[] {
  return collectSchemas().map(({ reader, schema }) => ({
    reader,
    settings: describeConfig(schema),
  }));
}

/** Everything that the configuration page shows. */
export function collectConfiguration(): ConfigurationReference {
  const { embeddedAdditions } = loadInside<EmbeddedEnvironment>(
    '@tollgate/all-in-one',
    'start/embedded-environment',
  );
  const embedded: Record<string, string> = {};
  for (const [name, value] of Object.entries(embeddedAdditions({}, MADE_SETTINGS))) {
    if (value !== undefined) embedded[name] = describeAddition(value);
  }
  return { variables: mergeReaders(collectReaders()), embedded, root: ROOT };
}

function describeAddition(value: string): string {
  if (value === `unix:${MADE_SETTINGS.socket('')}`) return 'a private unix socket';
  return Object.values(MADE_SETTINGS).includes(value) ? value : `\`${value}\``;
}

/**
 * Loads a module that is no part of its package's front door: a reference page may show what no
 * other code has a reason to import. The same line finds the source in tests and the compiled file
 * otherwise. The caller names the module's type, which the type checker cannot see from here.
 */
export function loadInside<Module>(packageName: string, path: string): Module {
  const folder = dirname(require.resolve(packageName));
  return require(join(folder, path)) as Module;
}
