export { type AdminServer, type AdminServerOptions, createAdminServer } from './admin-server';
export { type CleanupStack, createCleanupStack } from './cleanup-stack';
export { createHost, type HostConfig, hostConfigSchema, type RunnableHost } from './host';
export {
  createModuleTable,
  type ModuleTable,
  type ModuleTableOptions,
  type ReadinessReport,
} from './module-table';
export {
  EXIT,
  type ProcessControl,
  type RunOptions,
  runService,
  type StartedProcess,
  type StopSignal,
} from './run-service';
export {
  READY,
  type Readiness,
  readinessFrom,
  type ServiceHost,
  type ServiceModule,
} from './service-module';
export { sizeThreadPool } from './thread-pool';
