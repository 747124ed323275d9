export { retireSpool, settleOrphanedSpoolDirectory } from './commands/spool-commands';
export { type CompletionConfig, completionConfigSchema } from './config';
export { createCompletionService } from './service';
