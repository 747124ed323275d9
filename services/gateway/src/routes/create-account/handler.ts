import type { IdentityClient } from '../../clients/control-plane';
import { toAccount } from '../resources/account';
import { toActor } from '../resources/actor';
import { toPerson, toUser } from '../resources/user';
import { owed } from '../resources/values';
import { type Operation, operation } from '../route';
import { createAccountSchema } from './schema';

export function createCreateAccount(identity: IdentityClient): Operation {
  return operation(createAccountSchema, async ({ principal, body, context }) => {
    const answer = await identity.createAccount(
      {
        actor: toActor(principal),
        name: body.name,
        plan: body.plan,
        owner: toPerson(body.owner),
        idempotency: context.idempotency,
      },
      context.rpc,
    );
    const data = { ...toAccount(owed(answer.account)), owner: toUser(owed(answer.owner)) };
    return { data, replayed: answer.replayed };
  });
}
