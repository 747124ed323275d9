export { importKeys } from './commands/import-keys-command';
export { type MadeResetCode, makeResetCode } from './commands/reset-code-command';
export {
  type IdentityConfig,
  identityConfigSchema,
  importKeysConfigSchema,
  resetCodeConfigSchema,
} from './config';
export type { ImportReport } from './operations/import-keys';
export {
  createIdentityService,
  type IdentityService,
} from './service';
export { identityMigrations } from './storage/migrations';
export { SEALED_PRIVATE_KEYS } from './storage/signing-key-store';
