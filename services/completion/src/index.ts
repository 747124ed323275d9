export { type CompletionConfig, completionConfigSchema } from './config';
export {
  type CompletionEngines,
  type CompletionService,
  createCompletionService,
} from './service';
export { type DrainedSpool, drainSpoolDirectory } from './spool-drain';
export { retireSpool } from './spool-retire';
