import type { IdentityOperations } from '../operations/identity-operations';
import { createAccountHandlers } from './account-handlers';
import type { IdentityHandlers } from './identity-shape';
import { createKeyHandlers } from './key-handlers';
import { createSessionHandlers } from './session-handlers';

/** Translates, calls one operation, translates back. */
export function createIdentityHandlers(operations: IdentityOperations): IdentityHandlers {
  return {
    ...createKeyHandlers(operations),
    ...createSessionHandlers(operations),
    ...createAccountHandlers(operations),
  };
}
