import type { completionV1 } from '@tollgate/protos';
import type { completionDefinition, createRpcClient } from '@tollgate/rpc';

type Gateway = ReturnType<typeof createRpcClient<typeof completionDefinition>>;
type ResponseEvent = completionV1.SessionResponseFrame['event'];
type Action = completionV1.SessionRequestFrame['action'];

/** A session as a gateway has it. */
export function openSession(gateway: Gateway) {
  const session = gateway.session();
  const events = new Map<number, ResponseEvent[]>();
  const listeners = new Map<number, (event: ResponseEvent) => void>();
  const state = { draining: false, ended: false };
  let requests = 0;
  session.onMessage((message) => {
    state.draining ||= message.draining;
    for (const { number, event } of message.frames) {
      events.set(number, [...(events.get(number) ?? []), event]);
      listeners.get(number)?.(event);
    }
  });
  session.onEnd(() => {
    state.ended = true;
  });
  const act = (number: number, action: Action) => session.write({ frames: [{ number, action }] });
  const open = (input: completionV1.CompletionInput, stream: boolean): number => {
    requests += 1;
    act(requests, { $case: 'open', value: { input, stream } });
    return requests;
  };
  return {
    act,
    events,
    open,
    session,
    state,
    kinds: (number: number) => (events.get(number) ?? []).map((event) => event?.$case),
    /** A whole answer; rejects with the failure. */
    complete(input: completionV1.CompletionInput): Promise<completionV1.CompleteResponse> {
      const { promise, resolve, reject } = Promise.withResolvers<completionV1.CompleteResponse>();
      listeners.set(open(input, false), (event) => {
        if (event?.$case === 'complete') resolve(event.value);
        else reject(refusalOf(event));
      });
      return promise;
    },
    /** A streamed answer; rejects with a failure that came before its head. */
    stream(
      input: completionV1.CompletionInput,
      onChunk: (choices: readonly Buffer[], cancel: () => void) => void = () => {},
    ) {
      const { promise, resolve, reject } = Promise.withResolvers<StreamedAnswer>();
      const texts: string[] = [];
      const number = open(input, true);
      const cancel = () => act(number, { $case: 'cancel', value: true });
      listeners.set(number, (event) => {
        if (event?.$case === 'chunk') {
          texts.push(...event.value.choices.map(String));
          onChunk(event.value.choices, cancel);
        } else if (event?.$case === 'end') resolve({ texts, end: event.value });
        else if (event?.$case !== 'head') reject(refusalOf(event));
      });
      return promise;
    },
  };
}

/** What a client has got when its stream ended. */
interface StreamedAnswer {
  /** The `choices` arrays, as text. */
  readonly texts: readonly string[];
  readonly end: completionV1.StreamEnd;
}

/** A frame without an event says that nothing was begun. */
function refusalOf(event: ResponseEvent): Error {
  const code = event?.$case === 'failure' ? event.value.code : 'not begun';
  return Object.assign(new Error(code), { code });
}
