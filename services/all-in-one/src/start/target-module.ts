import type { ServiceModule } from '@tollgate/lifecycle';

/** Records that the first start of identity made, to be shown once. */
export interface FirstStart {
  readonly email: string;
  readonly password?: string | undefined;
  readonly apiKey?: string | undefined;
}

/** A service's module, with what some of them tell the process that runs them. */
export interface TargetModule extends ServiceModule {
  /** Where an HTTP server of the service can be reached, once it has started. */
  baseUrl?(): string | undefined;
  /** Records that identity made because nothing existed. */
  firstStart?(): FirstStart | undefined;
  /** Who answers requests, for people. */
  vendors?(): string | undefined;
}
