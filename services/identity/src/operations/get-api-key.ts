import type { Actor } from '../domain/actor';
import { type ApiKeyView, viewOf } from '../domain/api-key';
import type { Dependencies } from './dependencies';
import { requireKey } from './load-key';

export function createGetApiKey(deps: Pick<Dependencies, 'clock' | 'keys'>) {
  return async (input: { readonly actor: Actor; readonly keyId: string }): Promise<ApiKeyView> =>
    viewOf(await requireKey(deps.keys, input.actor, input.keyId), deps.clock.now());
}
