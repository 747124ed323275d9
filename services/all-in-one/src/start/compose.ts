import type { Environment } from '@tollgate/config';
import { createEventMetrics, createInProcessBus, type SharedBus } from '@tollgate/events';
import {
  READY,
  type Readiness,
  readinessFrom,
  type ServiceHost,
  type ServiceModule,
} from '@tollgate/lifecycle';
import { isGiven } from './embedded-environment';
import { type EmbeddedStorePlace, openEmbeddedStore } from './embedded-store';
import type { ShownFirstStart } from './first-start-card';
import type { PlannedTarget, StartPlan } from './plan';
import type { TargetModule } from './target-module';
import { createTopicsModule, migrateConfiguredTopics, TOPICS_MODULE } from './topics-module';

export interface ComposeOptions {
  readonly plan: StartPlan;
  readonly host: ServiceHost;
  /** With everything that the topology added. */
  readonly environment: Environment;
  /** Where the embedded store keeps its data and listens; undefined with a MONGODB_URI. */
  readonly store: EmbeddedStorePlace | undefined;
}

/** The modules of this process, and what they know once they run. */
export interface ComposedProcess {
  readonly modules: readonly ServiceModule[];
  firstStart(): ShownFirstStart | undefined;
  publicUrl(): string | undefined;
  /** Who answers requests, for people. */
  vendors(): string | undefined;
}

const STORE = 'store';
const SIMULATOR = 'simulator';

/** Builds the module table: the embedded store or the topics first, then services by dependency. */
export function composeProcess(options: ComposeOptions): ComposedProcess {
  const { plan, host } = options;
  const created = new Map<string, TargetModule>();
  const bus = createSharedBus(options);
  const infrastructure = createInfrastructure(options);
  const inProcess = new Set<string>([
    ...infrastructure.map(({ name }) => name),
    ...plan.targets.map(({ target }) => target.name),
  ]);

  function create({ target, loaded }: PlannedTarget): TargetModule {
    const environment = { ...options.environment, ...foundVariables(options, created) };
    const module = loaded.create(environment, host, bus);
    created.set(target.name, module);
    return module;
  }

  const services = plan.targets.map((planned) => {
    const { name, dependsOn } = planned.target;
    // The first channel may lead to the simulator, so its address must be known to all others.
    const first = name === SIMULATOR ? [] : [STORE, TOPICS_MODULE, SIMULATOR];
    const dependencies = [...first, ...dependsOn].filter((n) => inProcess.has(n));
    return createLazyModule({ name, dependsOn: dependencies, create: () => create(planned) });
  });
  return {
    modules: [...infrastructure, ...services],
    firstStart: () => created.get('identity')?.firstStart?.(),
    publicUrl: () => created.get('gateway')?.baseUrl?.(),
    vendors: () => created.get('routing')?.vendors?.(),
  };
}

interface LazyModuleOptions {
  readonly name: string;
  readonly dependsOn: readonly string[];
  /** Called at the module's turn, when everything it depends on has started. */
  readonly create: () => ServiceModule;
}

/**
 * A module that is made when its turn to start has come: a service's configuration may hold what
 * another module only knows once it runs, such as a port that the system chose. Required, because
 * what this one does not hand on, the process never asks of the service.
 */
function createLazyModule(options: LazyModuleOptions): Required<ServiceModule> {
  const { name, dependsOn, create } = options;
  let inner: ServiceModule | undefined;
  return {
    name,
    dependsOn,
    async start() {
      inner = create();
      await inner.start();
    },
    leave: () => inner?.leave?.(),
    async drain(deadlineMs) {
      await inner?.drain?.(deadlineMs);
    },
    waitsFor: () => inner?.waitsFor?.(),
    async stop() {
      await inner?.stop();
    },
    readiness(): Readiness {
      return inner?.readiness() ?? readinessFrom(['not started']);
    },
  };
}

/** Modules that start before any service: the embedded store, or the topics on real brokers. */
function createInfrastructure({ plan, host, store }: ComposeOptions): readonly ServiceModule[] {
  const modules: ServiceModule[] = [];
  if (store !== undefined) modules.push(createStoreModule(host, store));
  const usesKafka = plan.targets.some(({ target }) => target.engines.includes('kafka'));
  if (plan.config.kafkaBrokers === undefined || !usesKafka) return modules;
  const migrate = () => migrateConfiguredTopics(plan.config, host);
  modules.push(createTopicsModule({ host, migrate }));
  return modules;
}

function createSharedBus({ plan, host }: ComposeOptions): SharedBus {
  if (!plan.isWholeProduct || plan.config.kafkaBrokers !== undefined) return {};
  const { clock, logger, metrics } = host;
  return { eventBus: createInProcessBus({ clock, logger, observer: createEventMetrics(metrics) }) };
}

/** Addresses of servers whose port the system chose, for the others. */
function foundVariables(
  { plan, environment }: ComposeOptions,
  created: ReadonlyMap<string, TargetModule>,
): Record<string, string> {
  if (!plan.isWholeProduct) return {};
  const found: Record<string, string> = {};
  const simulator = created.get(SIMULATOR)?.baseUrl?.();
  if (simulator !== undefined) {
    // The simulator's address is private, so calling it must be allowed by name.
    const allowed = [environment.TOLLGATE_EGRESS_ALLOWED_HOSTS ?? '', new URL(simulator).host];
    found.TOLLGATE_SIMULATOR_BASE_URL = simulator;
    found.TOLLGATE_EGRESS_ALLOWED_HOSTS = allowed.filter((item) => item !== '').join(',');
  }
  const console = created.get('console')?.baseUrl?.();
  if (console !== undefined && !isGiven(environment, 'CONSOLE_ADDRESS')) {
    found.CONSOLE_ADDRESS = console;
  }
  return found;
}

function createStoreModule(host: ServiceHost, place: EmbeddedStorePlace): ServiceModule {
  let close: (() => Promise<void>) | undefined;
  return {
    name: STORE,
    async start() {
      const store = await openEmbeddedStore({ ...place, logger: host.logger });
      close = () => store.close();
    },
    async stop() {
      await close?.();
    },
    readiness: () => (close === undefined ? readinessFrom(['not listening']) : READY),
  };
}
