import { type Readiness, readinessFrom, type ServiceModule } from '@tollgate/lifecycle';

export interface LazyModuleOptions {
  readonly name: string;
  readonly dependsOn: readonly string[];
  /** Called at the module's turn, when everything it depends on has started. */
  readonly create: () => ServiceModule;
}

/**
 * A module that is made when its turn to start has come: a service's configuration may hold what
 * another module only knows once it runs, such as a port that the system chose.
 */
export function createLazyModule({ name, dependsOn, create }: LazyModuleOptions): ServiceModule {
  let inner: ServiceModule | undefined;
  return {
    name,
    dependsOn,
    async start() {
      inner = create();
      await inner.start();
    },
    async drain(deadlineMs) {
      await inner?.drain?.(deadlineMs);
    },
    async stop() {
      await inner?.stop();
    },
    readiness(): Readiness {
      return inner?.readiness() ?? readinessFrom(['not started']);
    },
  };
}
