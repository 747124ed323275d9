import { createAccountOperations } from './accounts';
import { createAuditLogOperations } from './audit-log';
import type { Dependencies } from './dependencies';
import { createErasureOperations } from './erasure';
import { createKeyVerification } from './key-verification';
import { createKeyOperations } from './keys';
import { createMemberOperations } from './members';
import { createOAuthOperations } from './oauth';
import { createPasswordOperations } from './passwords';
import { createRevocationOperations } from './revocations';
import { createSessionOperations } from './sessions';
import { createSigningKeyOperations } from './signing-keys';
import { createUserOperations } from './users';

/** Every operation of the service: one for each RPC, and `recordSystemAct` for events. */
export type IdentityOperations = ReturnType<typeof createIdentityOperations>;

export function createIdentityOperations(deps: Dependencies) {
  return {
    ...createKeyVerification(deps),
    ...createKeyOperations(deps),
    ...createSessionOperations(deps),
    ...createPasswordOperations(deps),
    ...createOAuthOperations(deps),
    ...createUserOperations(deps),
    ...createAccountOperations(deps),
    ...createErasureOperations(deps),
    ...createMemberOperations(deps),
    ...createAuditLogOperations(deps),
    ...createRevocationOperations(deps),
    ...createSigningKeyOperations(deps),
  };
}
