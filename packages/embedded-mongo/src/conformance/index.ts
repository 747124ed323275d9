export type { ConformanceCase } from './conformance-case';
export { CONFORMANCE_CORPUS } from './corpus';
export {
  type ConformanceOutcome,
  type RunCommand,
  runConformanceCase,
  runConformanceCorpus,
} from './run-conformance-corpus';
