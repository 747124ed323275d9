export { retireSpool, settleOrphanedSpoolDirectory } from './commands/spool-commands';
export { type CompletionConfig, completionConfigSchema } from './config';
export {
  type CompletionEngines,
  type CompletionService,
  createCompletionService,
} from './service';
