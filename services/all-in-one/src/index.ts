export { type AllInOneConfig, allInOneConfigSchema } from './config';
export { TARGET_NAMES, type TargetName } from './target-names';
export { TARGETS, type Target } from './targets';
