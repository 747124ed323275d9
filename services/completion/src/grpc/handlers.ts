import type { completionV1 } from '@tollgate/protos';
import {
  type CallerPolicy,
  type CallInfo,
  type completionDefinition,
  type Handlers,
  type ServerDuplex,
  type SessionOutput,
  serveSession,
} from '@tollgate/rpc';
import { complete } from '../operations/complete';
import { explainRoute } from '../operations/explain';
import { type RecallDependencies, recallLease } from '../operations/recall';
import type { RunDependencies } from '../operations/run';
import { type StreamOutput, streamCompletion } from '../operations/stream';
import type { UsageSpool } from '../spool/log';
import {
  fromProtoInput,
  toProtoCandidate,
  toProtoComplete,
  toProtoDisposition,
  toProtoEnd,
  toProtoHead,
} from './mapping';

type Definition = typeof completionDefinition;
type SessionStream = ServerDuplex<completionV1.SessionRequest, completionV1.SessionResponse>;

/** Who may call what. */
export const completionPolicy: CallerPolicy<Definition> = {
  session: ['gateway'],
  recallLease: ['billing'],
  explainRoute: ['gateway'],
};

/** What the calls work with. */
export interface HandlerDependencies extends RunDependencies {
  readonly recall: RecallDependencies;
  readonly admission: Pick<UsageSpool, 'acceptsWork'>;
  /** Aborts when the service begins to drain: sessions tell their peers. */
  readonly draining: AbortSignal;
}

/** Translates, calls one operation, translates back. */
export function createCompletionHandlers(deps: HandlerDependencies): Handlers<Definition> {
  return {
    session: (call, stream) => serveCompletions(deps, call, stream),
    recallLease: async ({ accountId, lease, holder }) =>
      toProtoDisposition(await recallLease(deps.recall, { accountId, lease }, holder)),
    explainRoute: async ({ input }, call) => {
      const request = fromProtoInput(input, call);
      const explained = explainRoute(deps, request);
      const best = explained.find(({ eligible }) => eligible);
      return {
        model: best?.candidate.model.name ?? '',
        candidates: explained.map((each) => toProtoCandidate(each, request.caller.operator)),
      };
    },
  };
}

/** Many requests on one long-lived stream. */
function serveCompletions(
  deps: HandlerDependencies,
  call: CallInfo,
  stream: SessionStream,
): Promise<void> {
  return serveSession(call, stream, {
    draining: deps.draining,
    ready: () => deps.admission.acceptsWork && deps.routeTable() !== undefined,
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
