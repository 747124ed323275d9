import type { IdentityClient } from '../../clients/control-plane';
import { toActor } from '../resources/actor';
import { toKeySettings, toNewKey } from '../resources/key';
import { owed } from '../resources/values';
import { type Operation, operation } from '../route';
import { createKeySchema } from './schema';

/** The secret is in this answer and in no other. */
export function createCreateKey(identity: IdentityClient): Operation {
  return operation(createKeySchema, async ({ principal, body, context }) => {
    const { apiKey, secret, replayed } = await identity.createApiKey(
      {
        actor: toActor(principal),
        settings: toKeySettings(body),
        idempotency: context.idempotency,
      },
      context.rpc,
    );
    const key = toNewKey(owed(apiKey));
    return { data: replayed ? key : { ...key, key: secret }, replayed };
  });
}
