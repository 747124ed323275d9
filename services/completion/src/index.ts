export { type CompletionConfig, completionConfigSchema } from './config';
export {
  type CompletionEngines,
  type CompletionService,
  createCompletionService,
} from './service';
export { retireSpool, settleOrphanedSpoolDirectory } from './spool-commands';
