import type { completionV1 } from '@tollgate/protos';
import { type CallInfo, type ServerDuplex, type SessionOutput, serveSession } from '@tollgate/rpc';
import { complete } from '../operations/complete';
import type { CompletionDependencies } from '../operations/dependencies';
import { type StreamOutput, streamCompletion } from '../operations/stream-completion';
import { fromProtoInput } from './from-proto';
import { toProtoComplete, toProtoEnd, toProtoHead } from './to-proto';

type Stream = ServerDuplex<completionV1.SessionRequest, completionV1.SessionResponse>;

/** Many requests on one long-lived stream, each by the same operations as a call of its own. */
export function serveCompletionSession(
  deps: CompletionDependencies,
  call: CallInfo,
  stream: Stream,
): Promise<void> {
  return serveSession(call, stream, {
    draining: deps.draining,
    ready: () => deps.spool.acceptsWork && deps.routeTable() !== undefined,
    clock: deps.clock,
    logger: deps.logger,
    handlers: {
      complete: async (input, context) =>
        toProtoComplete(await complete(deps, fromProtoInput(input, context))),
      stream: (input, context, out) =>
        streamCompletion(deps, fromProtoInput(input, context), toStreamOutput(out)),
    },
  });
}

function toStreamOutput(out: SessionOutput): StreamOutput {
  return {
    head: (head) => out.head(toProtoHead(head)),
    chunk: (choices) => out.chunk(choices),
    drained: () => out.drained(),
    end: (usage, amount, failure) => out.end(toProtoEnd(usage, amount, failure)),
  };
}
