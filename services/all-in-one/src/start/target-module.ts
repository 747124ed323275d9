import type { ServiceModule } from '@tollgate/lifecycle';
import type { ShownFirstStart } from './first-start-card';

/** A service's module, with what some of them tell the process that runs them. */
export interface TargetModule extends ServiceModule {
  /** Where an HTTP server of the service can be reached, once it has started. */
  baseUrl?(): string | undefined;
  /** Records that identity made because nothing existed. */
  firstStart?(): ShownFirstStart | undefined;
  /** Who answers requests, for people. */
  vendors?(): string | undefined;
}
