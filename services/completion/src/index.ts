export { type CompletionConfig, completionConfigSchema } from './config';
export {
  type CompletionEngines,
  type CompletionService,
  createCompletionService,
} from './service';
export { drainSpoolDirectory, retireSpool } from './spool-commands';
