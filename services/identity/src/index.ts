export {
  type IdentityConfig,
  identityConfigSchema,
  importKeysConfigSchema,
  resetCodeConfigSchema,
} from './config';
export { importKeys } from './import-keys-command';
export type { ImportReport } from './operations/import-keys';
export { type MadeResetCode, makeResetCode } from './reset-code-command';
export {
  createIdentityService,
  type FirstStart,
  type IdentityEngines,
  type IdentityService,
} from './service';
export { identityMigrations } from './storage/migrations';
export { SEALED_PRIVATE_KEYS } from './storage/signing-key-store';
