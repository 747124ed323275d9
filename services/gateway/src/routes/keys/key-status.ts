import { z } from 'zod';
import { toActor } from '../asking/actor';
import { required } from '../asking/required';
import { operation } from '../operation';
import { idParams, named, noFields } from '../payloads/values';
import { keySchema, toKeys } from './keys';

const keyOfAccountSchema = named('ApiKeyOfAccount', {
  ...keySchema.shape,
  account_id: z.string(),
});

export const disableKey = keyStatus('Switch off an API key of any account', true);
export const enableKey = keyStatus('Switch an API key of any account on again', false);

function keyStatus(summary: string, disabled: boolean) {
  return operation(
    {
      summary,
      params: idParams,
      body: noFields,
      data: keyOfAccountSchema,
      idempotency: { ignored: 'Doing it again changes nothing.' },
    },
    async ({ principal, params }, services) => {
      const { apiKey } = await services.identity.setApiKeyStatus({
        actor: toActor(principal),
        keyId: params.id,
        disabled,
      });
      const changed = required(apiKey);
      const { accountId: account_id } = changed;
      const [key] = await toKeys([changed], account_id, services);
      return { data: { ...key, account_id } };
    },
  );
}
