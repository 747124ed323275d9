import {
  type ConfigSchema,
  checkConfig,
  type Environment,
  type PrintedValue,
  parseConfig,
  printConfig,
  variableNames,
} from '@tollgate/config';
import { type EngineName, SERVICE_NAMES } from '@tollgate/core';
import type { SharedBus } from '@tollgate/events';
import type { ServiceHost } from '@tollgate/lifecycle';
import type { Migration } from '@tollgate/mongo';
import type { TargetModule } from './target-module';

/** Every service that a process can run, in the order they are listed to people. */
export const TARGET_NAMES = [...SERVICE_NAMES, 'simulator'] as const;

export type TargetName = (typeof TARGET_NAMES)[number];

/** A service whose code is loaded. */
export interface LoadedTarget {
  /** Every problem that its configuration has. */
  check(environment: Environment): readonly string[];
  print(environment: Environment): readonly PrintedValue[];
  readonly variableNames: readonly string[];
  create(environment: Environment, host: ServiceHost, bus: SharedBus): TargetModule;
  /** The steps of its schema; none without a document store. */
  migrations(environment: Environment): readonly Migration[];
}

/** One row of the list of targets. */
export interface Target {
  readonly name: TargetName;
  readonly description: string;
  /**
   * Services that start before it, and stop after it, where they run in the same process: those that
   * follow its events, because the bus in the process keeps none for later, and those it calls. Stats
   * is an exception: it calls billing only to fill gaps in billing's events, so it starts before it.
   * Identity and routing follow each other's events: routing starts first, because an erasure that it
   * does not hear is worse than an act of its own that identity does not record.
   */
  readonly dependsOn: readonly TargetName[];
  readonly engines: readonly EngineName[];
  /** Loads the code, which costs time and is done for chosen services only. */
  load(): LoadedTarget;
}

function loaded<T>(
  schema: ConfigSchema<T>,
  create: (config: T, host: ServiceHost, bus: SharedBus) => TargetModule,
  migrations: readonly Migration[] | ((config: T) => readonly Migration[]) = [],
): LoadedTarget {
  return {
    check(environment) {
      const verdict = checkConfig(schema, environment);
      return verdict.ok ? [] : verdict.problems;
    },
    print: (environment) => printConfig(schema, environment),
    variableNames: variableNames(schema),
    create: (environment, host, bus) => create(parseConfig(schema, environment), host, bus),
    migrations: (environment) =>
      typeof migrations === 'function' ? migrations(parseConfig(schema, environment)) : migrations,
  };
}

/** Everything that can run, by name. */
export const TARGETS: Readonly<Record<TargetName, Target>> = {
  gateway: {
    name: 'gateway',
    description: 'the HTTP interface: authentication, limits, completions, management',
    dependsOn: ['completion', 'identity', 'routing', 'billing', 'webhook', 'stats', 'console'],
    engines: ['kafka', 'redis'],
    load() {
      const service = require('@tollgate/gateway') as typeof import('@tollgate/gateway');
      return loaded(service.gatewayConfigSchema, service.createGatewayService);
    },
  },
  completion: {
    name: 'completion',
    description: 'runs completions at the vendors and records what they used',
    dependsOn: ['billing', 'routing'],
    engines: ['kafka'],
    load() {
      const service = require('@tollgate/completion') as typeof import('@tollgate/completion');
      return loaded(service.completionConfigSchema, service.createCompletionService);
    },
  },
  routing: {
    name: 'routing',
    description: 'channels, models, prices and the route table',
    dependsOn: ['webhook'],
    engines: ['mongodb', 'kafka'],
    load() {
      const service = require('@tollgate/routing') as typeof import('@tollgate/routing');
      const { routingConfigSchema, createRoutingService, routingMigrations } = service;
      return loaded(routingConfigSchema, createRoutingService, routingMigrations);
    },
  },
  billing: {
    name: 'billing',
    description: 'balances, credit leases, the ledger and the plan table',
    dependsOn: ['webhook', 'stats'],
    engines: ['mongodb', 'kafka'],
    load() {
      const service = require('@tollgate/billing') as typeof import('@tollgate/billing');
      const { billingConfigSchema, createBillingService, billingMigrations } = service;
      return loaded(billingConfigSchema, createBillingService, billingMigrations);
    },
  },
  identity: {
    name: 'identity',
    description: 'accounts, users, API keys and logins',
    dependsOn: ['billing', 'webhook', 'routing'],
    engines: ['mongodb', 'kafka'],
    load() {
      const service = require('@tollgate/identity') as typeof import('@tollgate/identity');
      const { identityConfigSchema, createIdentityService, identityMigrations } = service;
      return loaded(identityConfigSchema, createIdentityService, identityMigrations);
    },
  },
  webhook: {
    name: 'webhook',
    description: 'endpoints of customers and the delivery of events to them',
    dependsOn: [],
    engines: ['mongodb', 'kafka'],
    load() {
      const service = require('@tollgate/webhook') as typeof import('@tollgate/webhook');
      const { webhookConfigSchema, createWebhookService, webhookMigrations } = service;
      return loaded(webhookConfigSchema, createWebhookService, webhookMigrations);
    },
  },
  stats: {
    name: 'stats',
    description: 'usage by time, model, key and more, from the ledger',
    dependsOn: [],
    engines: ['mongodb', 'kafka'],
    load() {
      const service = require('@tollgate/stats') as typeof import('@tollgate/stats');
      const { statsConfigSchema, createStatsService, statsMigrations } = service;
      return loaded(statsConfigSchema, createStatsService, statsMigrations);
    },
  },
  console: {
    name: 'console',
    description: 'the files of the web console, which the gateway shows below /console',
    dependsOn: [],
    engines: [],
    load() {
      const service = require('../console-server') as typeof import('../console-server');
      return loaded(service.consoleConfigSchema, service.createConsoleService);
    },
  },
  simulator: {
    name: 'simulator',
    description: 'a stand-in for a vendor, for first contact and tests',
    dependsOn: [],
    engines: [],
    load() {
      const service = require('@tollgate/simulator') as typeof import('@tollgate/simulator');
      return loaded(service.simulatorConfigSchema, service.createSimulatorService);
    },
  },
};

/** The rows of the named services, in the order of the table. */
export function selectTargets(names: readonly string[]): readonly Target[] {
  const chosen = names.includes('all') ? TARGET_NAMES : TARGET_NAMES.filter(isIn(names));
  return chosen.map((name) => TARGETS[name]);
}

function isIn(names: readonly string[]): (name: TargetName) => boolean {
  return (name) => names.includes(name);
}
