import { AppError } from '@tollgate/core';
import type { IdentityClient } from '../../clients/control-plane';
import type { Principal } from '../../domain/principal';
import { type Operation, operation } from '../route';
import { logOutSchema } from './schema';

export function createLogOut(identity: IdentityClient): Operation {
  return operation(logOutSchema, async ({ principal, sessionId, body, context }) => {
    const { all_sessions: allSessions, refresh_token: refreshToken } = body;
    if (refreshToken !== undefined) {
      await identity.logout({ refreshToken, allSessions }, context.rpc);
      return { data: { logged_out: true } };
    }
    const { userId } = requireSignedIn(principal);
    await identity.logout({ userId, sessionId: allSessions ? '' : sessionId }, context.rpc);
    return { data: { logged_out: true } };
  });
}

/** Nobody is signed in when neither a bearer nor the body says who calls. */
function requireSignedIn(principal: Principal | undefined): Principal {
  if (principal === undefined) throw new AppError('UNAUTHORIZED');
  return principal;
}
