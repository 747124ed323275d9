import type { IdentityClient } from '../../clients/control-plane';
import { toAccount } from '../resources/account';
import { toActor } from '../resources/actor';
import { toUser } from '../resources/user';
import { owed } from '../resources/values';
import { type Operation, operation } from '../route';
import { createAccountSchema } from './schema';

export function createCreateAccount(identity: IdentityClient): Operation {
  return operation(createAccountSchema, async ({ principal, body, context }) => {
    const { owner } = body;
    const answer = await identity.createAccount(
      {
        actor: toActor(principal),
        name: body.name,
        plan: body.plan,
        owner:
          owner === undefined
            ? null
            : {
                email: owner.email,
                password: owner.password,
                displayName: owner.display_name ?? owner.email,
              },
        idempotency: context.idempotency,
      },
      context.rpc,
    );
    const data = {
      ...toAccount(owed(answer.account)),
      owner: answer.owner === null ? null : toUser(answer.owner),
    };
    return { data, replayed: answer.replayed };
  });
}
