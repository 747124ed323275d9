import { READY, type Readiness, type ServiceModule } from '../service-module';

export interface FakeModuleOptions {
  readonly dependsOn?: readonly string[];
  readonly start?: () => Promise<void>;
  readonly drain?: (deadlineMs: number) => Promise<void>;
  readonly stop?: () => Promise<void>;
  readonly readiness?: () => Readiness;
}

/** A module that writes down what happens to it. */
export function createFakeModule(
  name: string,
  journal: string[],
  options: FakeModuleOptions = {},
): ServiceModule {
  return {
    name,
    ...(options.dependsOn === undefined ? {} : { dependsOn: options.dependsOn }),
    async start() {
      journal.push(`start ${name}`);
      await options.start?.();
    },
    async drain(deadlineMs) {
      journal.push(`drain ${name}`);
      await options.drain?.(deadlineMs);
    },
    async stop() {
      journal.push(`stop ${name}`);
      await options.stop?.();
    },
    readiness: options.readiness ?? (() => READY),
  };
}
