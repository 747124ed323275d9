import type { IdentityClient } from '../../clients/control-plane';
import { isBrowser, readBinding } from '../resources/browser';
import { toSession } from '../resources/user';
import { type Operation, operation } from '../route';
import { completeOAuthSchema } from './schema';

/** Browsers go back to the console with a one-time code; programs get the session. */
export function createCompleteOAuth(identity: IdentityClient): Operation {
  return operation(completeOAuthSchema, async ({ query, context }) => {
    const { exchange, rpc } = context;
    const origin = context.publicOrigin();
    const { request } = exchange;
    const browser = isBrowser(request);
    const { session, oneTimeCode, redirectTo } = await identity.completeOAuth(
      {
        callbackUrl: `${origin}${request.url ?? ''}`,
        state: query.state,
        browserBinding: readBinding(request),
        wantCode: browser,
      },
      rpc,
    );
    if (!browser) return { data: toSession(session) };
    const target = new URL(redirectTo === '' ? '/console/' : redirectTo, origin);
    target.searchParams.set('code', oneTimeCode);
    return { redirect: target.href };
  });
}
