export { type CleanupStack, createCleanupStack } from './cleanup-stack';
export { type ListenOptions, listenOn } from './listen';
export { createModuleTable, type ModuleTable, type ReadinessReport } from './module-table';
export { EXIT, runService, type StartedProcess } from './run-service';
export {
  createHost,
  type HostConfig,
  hostConfigSchema,
  READY,
  type Readiness,
  type RunnableHost,
  readinessFrom,
  type ServiceHost,
  type ServiceModule,
} from './service-module';
export { sizeThreadPool } from './thread-pool';
