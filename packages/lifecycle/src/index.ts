export { type CleanupStack, createCleanupStack } from './cleanup-stack';
export { type FileLock, takeFileLock } from './file-lock';
export {
  createHost,
  type HostConfig,
  hostConfigSchema,
  type RunnableHost,
  type ServiceHost,
} from './host';
export { type ListenOptions, listenOn, urlOf } from './listen';
export { createModuleTable, type ModuleTable, type ReadinessReport } from './module-table';
export { EXIT, runService, type StartedProcess } from './run-service';
export { READY, type Readiness, readinessFrom, type ServiceModule } from './service-module';
export { sizeThreadPool } from './thread-pool';
