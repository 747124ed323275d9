export { type AllInOneConfig, allInOneConfigSchema } from './config';
export { TARGET_NAMES, TARGETS, type Target, type TargetName } from './start/targets';
