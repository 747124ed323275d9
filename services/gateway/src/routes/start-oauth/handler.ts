import { randomBytes } from 'node:crypto';
import { AppError } from '@tollgate/core';
import type { IdentityClient } from '../../clients/control-plane';
import { bindingCookie, isBrowser } from '../resources/browser';
import { type Operation, operation } from '../route';
import { startOAuthSchema } from './schema';

const BINDING_BYTES = 24;

/** Browsers are sent on and get a cookie that binds the login to them; programs get the address. */
export function createStartOAuth(identity: IdentityClient): Operation {
  return operation(startOAuthSchema, async ({ query, context }) => {
    const { exchange, rpc } = context;
    const origin = context.publicOrigin();
    const browser = isBrowser(exchange.request);
    const binding = browser ? randomBytes(BINDING_BYTES).toString('base64url') : '';
    const { authorizationUrl, state } = await identity.startOAuth(
      {
        provider: query.provider ?? (await onlyProvider(identity, rpc)),
        redirectTo: query.redirect_to ?? '',
        callbackUrl: `${origin}/v1/oauth/callback`,
        browserBinding: binding,
      },
      rpc,
    );
    if (!browser) return { data: { authorization_url: authorizationUrl, state } };
    exchange.headers['Set-Cookie'] = bindingCookie(binding, origin.startsWith('https:'));
    return { redirect: authorizationUrl };
  });
}

/** With one provider there is nothing to choose. */
async function onlyProvider(
  identity: IdentityClient,
  rpc: Parameters<IdentityClient['listOAuthProviders']>[1],
): Promise<string> {
  const { providers } = await identity.listOAuthProviders({}, rpc);
  const [first] = providers;
  if (first !== undefined && providers.length === 1) return first.id;
  const publicMessage = 'provider: is required.';
  throw new AppError('VALIDATION_ERROR', { publicMessage, param: 'provider' });
}
