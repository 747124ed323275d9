import type { IdentityClient } from '../../clients/control-plane';
import { type Operation, operation } from '../route';
import { changePasswordSchema } from './schema';

export function createChangePassword(identity: IdentityClient): Operation {
  return operation(changePasswordSchema, async ({ principal, body, context }) => {
    const { userId } = principal;
    const { current_password: currentPassword, new_password: newPassword } = body;
    const { replayed } = await identity.changePassword(
      { userId, currentPassword, newPassword, idempotency: context.idempotency },
      context.rpc,
    );
    return { data: { changed: true }, replayed };
  });
}
