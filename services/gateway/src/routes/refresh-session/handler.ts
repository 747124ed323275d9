import type { IdentityClient } from '../../clients/control-plane';
import { toSession } from '../resources/user';
import { type Operation, operation } from '../route';
import { refreshSessionSchema } from './schema';

/** A refresh token works once; using it again ends the session. */
export function createRefreshSession(identity: IdentityClient): Operation {
  return operation(refreshSessionSchema, async ({ body, context }) => {
    const request = { refreshToken: body.refresh_token };
    const { session } = await identity.refreshSession(request, context.rpc);
    return { data: toSession(session) };
  });
}
