export { type IdentityConfig, identityConfigSchema } from './config';
export { importKeys } from './import-keys-command';
export type { ImportRefusal, ImportReport, LegacyKeyEntry } from './operations/import-keys';
export {
  createIdentityService,
  type FirstStartCard,
  type IdentityEngines,
  type IdentityService,
} from './service';
