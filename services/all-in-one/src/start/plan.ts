import {
  checkConfig,
  describeUnknownName,
  type Environment,
  findUnknownNames,
  type PrintedValue,
  printConfig,
  variableNames,
} from '@tollgate/config';
import type { EngineName } from '@tollgate/core';
import { type HostConfig, hostConfigSchema } from '@tollgate/lifecycle';
import { type AllInOneConfig, allInOneConfigSchema } from '../config';
import { isGiven, withPlaceholders } from './embedded-environment';
import { type LoadedTarget, selectTargets, type Target } from './targets';

/** A service that this process will run. */
export interface PlannedTarget {
  readonly target: Target;
  readonly loaded: LoadedTarget;
}

/** The modules and settings of this process, decided and checked before anything is opened. */
export interface StartPlan {
  readonly config: AllInOneConfig;
  readonly hostConfig: HostConfig;
  readonly targets: readonly PlannedTarget[];
  /** TARGET=all: every service is in this process, which brings missing engines and secrets along. */
  readonly isWholeProduct: boolean;
  /** Sentences about `TOLLGATE_*` names that nothing reads. */
  readonly unknownNames: readonly string[];
}

export type PlanVerdict =
  | { readonly ok: true; readonly plan: StartPlan }
  | {
      readonly ok: false;
      readonly problems: readonly string[];
      readonly unknownNames: readonly string[];
    };

/** Whether a start with this environment opens the embedded store; read before any code is loaded. */
export function bringsStore(environment: Environment): boolean {
  const own = checkConfig(allInOneConfigSchema, environment);
  return own.ok && own.config.targets.includes('all') && !isGiven(environment, 'MONGODB_URI');
}

/** Reads and checks everything that the chosen services need; opens and writes nothing. */
export function planProcess(environment: Environment): PlanVerdict {
  const own = checkConfig(allInOneConfigSchema, environment);
  // With a TARGET that cannot be read, everything is checked as for the default.
  const names = own.ok ? own.config.targets : ['all'];
  const isWholeProduct = names.includes('all');
  const complete = isWholeProduct ? withPlaceholders(environment) : environment;
  const targets = selectTargets(names).map((target) => ({
    target,
    loaded: target.load(),
  }));
  const unknownNames = describeUnknownNames(environment, targets);
  const host = checkConfig(hostConfigSchema, complete);
  const problems = [
    ...(own.ok ? [] : own.problems),
    ...(isWholeProduct || !own.ok ? [] : missingEngines(environment, own.config, targets)),
    ...(host.ok ? [] : host.problems),
    ...targets.flatMap(({ loaded }) => loaded.check(complete)),
  ];
  if (!own.ok || !host.ok || problems.length > 0) {
    return { ok: false, problems: onePerVariable(problems), unknownNames };
  }
  const config = { ...own.config, bind: host.config.bind };
  return {
    ok: true,
    plan: { config, hostConfig: host.config, targets, isWholeProduct, unknownNames },
  };
}

/** Every variable the chosen services read, with its value as people may see it. */
export function printPlan(environment: Environment): readonly PrintedValue[] {
  const own = checkConfig(allInOneConfigSchema, environment);
  const names = own.ok ? own.config.targets : ['all'];
  const complete = names.includes('all') ? withPlaceholders(environment) : environment;
  const rows = new Map<string, PrintedValue>();
  const printed = [
    ...selectTargets(names).flatMap((target) => target.load().print(complete)),
    ...printConfig(hostConfigSchema, complete),
    ...printConfig(allInOneConfigSchema, complete),
  ];
  for (const row of printed) {
    const isAdded = complete[row.source] !== environment[row.source];
    rows.set(row.name, isAdded ? { ...row, source: 'embedded' } : row);
  }
  return [...rows.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Names of services that are not chosen are known too: one environment may serve several pods. */
function describeUnknownNames(
  environment: Environment,
  targets: readonly PlannedTarget[],
): readonly string[] {
  const prefixed = Object.keys(environment).some((name) => name.startsWith('TOLLGATE_'));
  if (!prefixed) return [];
  const chosen = new Set(targets.map(({ target }) => target.name));
  const others = selectTargets(['all']).filter(({ name }) => !chosen.has(name));
  const known = [
    ...variableNames(allInOneConfigSchema),
    ...variableNames(hostConfigSchema),
    ...targets.flatMap(({ loaded }) => loaded.variableNames),
    ...others.flatMap((target) => target.load().variableNames),
  ];
  return findUnknownNames(environment, known).map(describeUnknownName);
}

/** Outside TARGET=all nobody gets a private store by accident. */
function missingEngines(
  environment: Environment,
  config: AllInOneConfig,
  targets: readonly PlannedTarget[],
): readonly string[] {
  const users = (engine: EngineName) =>
    targets
      .filter(({ target }) => target.engines.includes(engine))
      .map(({ target }) => target.name);
  const problems: string[] = [];
  const mongo = users('mongodb');
  if (mongo.length > 0 && !isGiven(environment, 'MONGODB_URI')) {
    problems.push(`MONGODB_URI is required by ${mongo.join(', ')}; only TARGET=all brings a store`);
  }
  const kafka = users('kafka');
  if (kafka.length > 0 && !isGiven(environment, 'KAFKA_BROKERS')) {
    problems.push(`KAFKA_BROKERS is required by ${kafka.join(', ')}; only TARGET=all has a bus`);
  }
  const needsRedis = users('redis').length > 0 && !config.singleGateway;
  if (needsRedis && config.redisUrl === undefined) {
    problems.push(
      'REDIS_URL is required by gateway, which shares its limits with its replicas; ' +
        'set TOLLGATE_SINGLE_GATEWAY=true when there is one gateway only',
    );
  }
  return problems;
}

/** The first problem of each variable: several services read the same one. */
function onePerVariable(problems: readonly string[]): readonly string[] {
  const byVariable = new Map<string, string>();
  for (const problem of problems) {
    const variable = problem.split(' ', 1)[0] ?? problem;
    if (!byVariable.has(variable)) byVariable.set(variable, problem);
  }
  return [...byVariable.values()];
}
