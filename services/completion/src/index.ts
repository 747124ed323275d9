export { type CompletionConfig, completionConfigSchema } from './config';
export {
  type CompletionEngines,
  type CompletionService,
  createCompletionService,
  drainSpoolDirectory,
  retireSpool,
} from './service';
