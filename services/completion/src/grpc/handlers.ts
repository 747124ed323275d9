import type { completionV1 } from '@tollgate/protos';
import type { CallerPolicy, completionDefinition, Handlers, ResponseStream } from '@tollgate/rpc';
import { complete } from '../operations/complete';
import type { CompletionDependencies } from '../operations/dependencies';
import { explainRoute } from '../operations/explain-route';
import { recallLease } from '../operations/recall-lease';
import { type StreamOutput, streamCompletion } from '../operations/stream-completion';
import { fromProtoInput } from './from-proto';
import { serveCompletionSession } from './session';
import {
  toProtoCandidate,
  toProtoComplete,
  toProtoDisposition,
  toProtoEnd,
  toProtoHead,
} from './to-proto';

type Definition = typeof completionDefinition;

/** Who may call what. */
export const completionPolicy: CallerPolicy<Definition> = {
  complete: ['gateway'],
  streamCompletion: ['gateway'],
  session: ['gateway'],
  recallLease: ['billing'],
  explainRoute: ['gateway'],
};

/** Translates, calls one operation, translates back. */
export function createCompletionHandlers(deps: CompletionDependencies): Handlers<Definition> {
  return {
    complete: async ({ input }, call) =>
      toProtoComplete(await complete(deps, fromProtoInput(input, call))),
    streamCompletion: ({ input }, call, out) =>
      streamCompletion(deps, fromProtoInput(input, call), toStreamOutput(out)),
    session: (call, stream) => serveCompletionSession(deps, call, stream),
    recallLease: async ({ accountId, lease, holder }) =>
      toProtoDisposition(await recallLease(deps.leases, { accountId, lease }, holder)),
    explainRoute: async ({ input }, call) => {
      const request = fromProtoInput(input, call);
      const candidates = explainRoute(deps, request);
      const best = candidates.find((candidate) => candidate.eligible);
      return {
        model: best?.offer.model.name ?? '',
        candidates: candidates.map((candidate) =>
          toProtoCandidate(candidate, request.caller.operator),
        ),
      };
    },
  };
}

function toStreamOutput(out: ResponseStream<completionV1.StreamCompletionResponse>): StreamOutput {
  return {
    head: (head) => void out.write({ frame: { $case: 'head', value: toProtoHead(head) } }),
    chunk: (choices) => out.write({ frame: { $case: 'chunk', value: { choices: [...choices] } } }),
    drained: () => out.drained(),
    end: (usage, amount, failure) =>
      void out.write({ frame: { $case: 'end', value: toProtoEnd(usage, amount, failure) } }),
  };
}
