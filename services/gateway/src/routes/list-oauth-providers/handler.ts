import type { IdentityClient } from '../../clients/control-plane';
import { type Operation, operation } from '../route';
import { listOAuthProvidersSchema } from './schema';

export function createListOAuthProviders(identity: IdentityClient): Operation {
  return operation(listOAuthProvidersSchema, async ({ context }) => {
    const { providers } = await identity.listOAuthProviders({}, context.rpc);
    return { data: { items: providers.map(({ id, name }) => ({ id, name })) } };
  });
}
