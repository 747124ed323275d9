import type { IdentityClient } from '../../clients/control-plane';
import { toSession } from '../resources/user';
import { type Operation, operation } from '../route';
import { exchangeOAuthCodeSchema } from './schema';

export function createExchangeOAuthCode(identity: IdentityClient): Operation {
  return operation(exchangeOAuthCodeSchema, async ({ body, context }) => {
    const { session } = await identity.exchangeOAuthCode({ code: body.code }, context.rpc);
    return { data: toSession(session) };
  });
}
