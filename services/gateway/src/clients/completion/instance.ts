import { AppError, waitAtMost } from '@tollgate/core';
import { type completionDefinition, type RpcClient, toUint32 } from '@tollgate/rpc';
import type { ByteBound } from '../../bounds/byte-bound';
import type { CompletionClient } from './client';
import { InFlightCompletion } from './in-flight-completion';
import { InFlightCompletions } from './in-flight-completions';
import { SessionLink, type SessionLinkOptions } from './session-link';

export interface InstanceClientOptions extends Omit<SessionLinkOptions, 'open' | 'numberMax'> {
  readonly rpc: RpcClient<typeof completionDefinition>;
  /** Payload bytes that may wait for the reader of one completion. */
  readonly heldBytesMax: number;
  /** The bytes that all completions together may hold for their readers. */
  readonly unreadBytes: ByteBound;
}

/** All requests to one instance on one long-lived session; it is opened at once and kept open. */
export function createInstanceClient(options: InstanceClientOptions): CompletionClient {
  const { clock, heldBytesMax, unreadBytes, rpc } = options;
  const completions = new InFlightCompletions(clock);
  const link = new SessionLink({ ...options, open: () => rpc.session() });

  return {
    get available() {
      return link.available;
    },
    open({ input, stream }, { deadlineMs, traceparent }, listener) {
      if (link.draining) throw new AppError('SERVICE_UNAVAILABLE', { internalMessage: 'draining' });
      const completion = new InFlightCompletion({
        toOpen: {
          // 0 would say that there is no deadline.
          input: { ...input, deadlineMs: Math.max(1, toUint32(deadlineMs)), traceparent },
          stream,
        },
        untilMs: clock.monotonicMs() + deadlineMs,
        listener,
        heldBytesMax,
        unreadBytes,
      });
      completions.add(completion);
      link.send(completion);
      return completion;
    },
    explain: (request, call) => rpc.explainRoute(request, call),
    countTokens: (input, call) => rpc.countTokens({ input }, call),
    defaultTimeouts: (call) => rpc.getDefaultTimeouts({}, call),
    listActive: async (sought, call) => ({
      ...(await rpc.listActiveRequests(sought, call)),
      silent: [],
    }),
    async drain(deadlineMs) {
      link.drain();
      await waitAtMost(clock, deadlineMs, completions.idle());
      completions.cutAll('cut by the drain');
    },
    close() {
      link.close();
      completions.close();
      rpc.close();
    },
  };
}
