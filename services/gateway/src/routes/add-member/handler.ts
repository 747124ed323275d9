import type { IdentityClient } from '../../clients/control-plane';
import { toActor } from '../resources/actor';
import { toPerson, toRole, toUser } from '../resources/user';
import { owed } from '../resources/values';
import { type Operation, operation } from '../route';
import { addMemberSchema } from './schema';

export function createAddMember(identity: IdentityClient): Operation {
  return operation(addMemberSchema, async ({ principal, body, context }) => {
    const { user, replayed } = await identity.addMember(
      {
        actor: toActor(principal),
        ...toPerson(body),
        role: toRole(body.role),
        idempotency: context.idempotency,
      },
      context.rpc,
    );
    return { data: toUser(owed(user)), replayed };
  });
}
