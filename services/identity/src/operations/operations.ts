import { accountOperations } from './accounts';
import { createAuditLogOperations } from './audit-log';
import type { Dependencies } from './dependencies';
import { erasureOperations } from './erasure';
import { keyVerification } from './key-verification';
import { keyOperations } from './keys';
import { memberOperations } from './members';
import { oauthOperations } from './oauth';
import { passwordOperations } from './passwords';
import { createRevocationOperations } from './revocations';
import { sessionOperations } from './sessions';
import { createSigningKeyOperations } from './signing-keys';
import { userOperations } from './users';

/** Every operation of the service: one for each RPC, and `recordSystemAct` for events. */
export type IdentityOperations = ReturnType<typeof createIdentityOperations>;

export function createIdentityOperations(deps: Dependencies) {
  return {
    ...createRevocationOperations(deps),
    ...createSigningKeyOperations(deps),
    ...createAuditLogOperations(deps),
    ...bind(deps, {
      ...keyVerification,
      ...keyOperations,
      ...sessionOperations,
      ...passwordOperations,
      ...oauthOperations,
      ...userOperations,
      ...accountOperations,
      ...erasureOperations,
      ...memberOperations,
    }),
  };
}

/** Operations that were given what they use. */
type Bound<Operations> = {
  readonly [Name in keyof Operations]: Operations[Name] extends (
    deps: Dependencies,
    ...input: infer Input
  ) => infer Answer
    ? (...input: Input) => Answer
    : never;
};

type Operation = (deps: Dependencies, ...input: never[]) => unknown;

function bind<Operations extends Readonly<Record<string, Operation>>>(
  deps: Dependencies,
  operations: Operations,
): Bound<Operations> {
  const bound = Object.entries(operations).map(([name, operation]) => [
    name,
    (...input: never[]) => operation(deps, ...input),
  ]);
  return Object.fromEntries(bound) as Bound<Operations>;
}
