import { AppError, waitAtMost } from '@tollgate/core';
import type { completionDefinition, RpcClient } from '@tollgate/rpc';
import type { ByteBudget } from '../../limits/byte-budget';
import type { CompletionClient } from './client';
import { OpenStreams } from './open-streams';
import { SessionLink, type SessionLinkOptions } from './session-link';
import { CompletionStream } from './stream';

export interface InstanceClientOptions extends Omit<SessionLinkOptions, 'open' | 'numberMax'> {
  readonly rpc: RpcClient<typeof completionDefinition>;
  /** Payload bytes that may wait for the reader of one stream. */
  readonly heldBytesMax: number;
  /** The bytes that all streams together may hold for their readers. */
  readonly readers: ByteBudget;
}

const UINT32_MAX = 0xffff_ffff;

/** All requests to one instance on one long-lived session; it is opened at once and kept open. */
export function createInstanceClient(options: InstanceClientOptions): CompletionClient {
  const { clock, heldBytesMax, readers, rpc } = options;
  const streams = new OpenStreams(clock);
  const link = new SessionLink({ ...options, open: () => rpc.session() });
  const onOver = (stream: CompletionStream) => streams.remove(stream);

  return {
    get available() {
      return link.available;
    },
    open({ input, stream: streamed }, { deadlineMs, traceparent }, listener) {
      if (link.draining) throw new AppError('SERVICE_UNAVAILABLE', { internalMessage: 'draining' });
      const stream = new CompletionStream({
        opening: {
          input: { ...input, deadlineMs: toUint32(deadlineMs), traceparent },
          stream: streamed,
        },
        untilMs: clock.monotonicMs() + deadlineMs,
        listener,
        heldBytesMax,
        readers,
        onOver,
      });
      streams.add(stream);
      link.send(stream);
      return stream;
    },
    explain: (request, { requestId, accountId, traceparent, deadlineMs }) =>
      rpc.explainRoute(request, { requestId, accountId, traceparent, deadlineMs }),
    countTokens: (input, { requestId, accountId, traceparent, deadlineMs }) =>
      rpc.countTokens({ input }, { requestId, accountId, traceparent, deadlineMs }),
    async drain(deadlineMs) {
      link.drain();
      await waitAtMost(clock, deadlineMs, streams.idle());
      streams.cutAll('cut by the drain');
    },
    close() {
      link.close();
      streams.close();
      rpc.close();
    },
  };
}

/** At least 1, because 0 would say that there is no deadline. */
function toUint32(deadlineMs: number): number {
  return Math.max(1, Math.min(Math.ceil(deadlineMs), UINT32_MAX));
}
