import type { IssuedKey } from '../operations/create-api-key';
import type { IdentityOperations } from '../operations/identity-operations';
import {
  fromProtoActor,
  fromProtoIdempotency,
  fromProtoKeyUse,
  fromProtoSettings,
} from './from-proto';
import type { IdentityHandlers } from './identity-shape';
import { toProtoFrame, toProtoKey, toProtoPrincipal } from './to-proto';

type KeyHandlers = Pick<
  IdentityHandlers,
  | 'verifyApiKey'
  | 'watchRevocations'
  | 'createApiKey'
  | 'listApiKeys'
  | 'getApiKey'
  | 'updateApiKey'
  | 'deleteApiKey'
  | 'rotateApiKey'
  | 'reportKeyUses'
>;

export function createKeyHandlers(operations: IdentityOperations): KeyHandlers {
  return {
    async verifyApiKey({ apiKey }) {
      const { principal, revision } = await operations.verifyApiKey(apiKey);
      return { principal: toProtoPrincipal(principal), revision: revision.toString() };
    },
    async watchRevocations({ afterRevision }, call, out) {
      const sink = {
        write: (frame: Parameters<typeof toProtoFrame>[0]) => out.write(toProtoFrame(frame)),
        drained: () => out.drained(),
      };
      const over = AbortSignal.any([call.signal, call.draining]);
      await operations.watchRevocations(BigInt(afterRevision), sink, over);
    },
    async createApiKey({ actor, settings, idempotency }) {
      const issued = await operations.createApiKey({
        actor: fromProtoActor(actor),
        settings: fromProtoSettings(settings),
        idempotency: fromProtoIdempotency(idempotency),
      });
      return toProtoIssuedKey(issued);
    },
    async listApiKeys({ actor, limit, cursor }) {
      const page = { limit, cursor };
      const found = await operations.listApiKeys({ actor: fromProtoActor(actor), page });
      return { apiKeys: found.items.map(toProtoKey), nextCursor: found.nextCursor };
    },
    async getApiKey({ actor, keyId }) {
      const key = await operations.getApiKey({ actor: fromProtoActor(actor), keyId });
      return { apiKey: toProtoKey(key) };
    },
    async updateApiKey({ actor, keyId, settings }) {
      const key = await operations.updateApiKey({
        actor: fromProtoActor(actor),
        keyId,
        settings: fromProtoSettings(settings),
      });
      return { apiKey: toProtoKey(key) };
    },
    async deleteApiKey({ actor, keyId }) {
      await operations.deleteApiKey({ actor: fromProtoActor(actor), keyId });
      return {};
    },
    async rotateApiKey({ actor, keyId, gracePeriodSeconds, idempotency }) {
      const issued = await operations.rotateApiKey({
        actor: fromProtoActor(actor),
        keyId,
        gracePeriodS: gracePeriodSeconds,
        idempotency: fromProtoIdempotency(idempotency),
      });
      return toProtoIssuedKey(issued);
    },
    async reportKeyUses({ uses }) {
      await operations.reportKeyUses(uses.map(fromProtoKeyUse));
      return {};
    },
  };
}

function toProtoIssuedKey({ key, secret, replayed }: IssuedKey) {
  return { apiKey: toProtoKey(key), secret, replayed };
}
