export { type AllInOneConfig, allInOneConfigSchema } from './config';
