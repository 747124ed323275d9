import { completionV1 } from '@tollgate/protos';
import { ProtobufWriter } from './protobuf-writer';

/** Payload bytes of one frame, some below what a message may have. */
export const FRAME_BYTES_MAX = 15 * 1024 * 1024;

/** The completion service's methods with their codecs. */
export type CompletionDefinition = typeof completionV1.CompletionServiceService;
type WireWriter = NonNullable<Parameters<typeof completionV1.SessionRequest.encode>[1]>;

/** The completion service with static codecs; our own writer writes the two hottest messages. */
export const completionDefinition: CompletionDefinition = {
  ...completionV1.CompletionServiceService,
  session: {
    ...completionV1.CompletionServiceService.session,
    requestSerialize: (message) => {
      let payloadBytes = 0;
      for (const frame of message.frames) payloadBytes += payloadOfRequest(frame);
      const writer = new ProtobufWriter(payloadBytes);
      completionV1.SessionRequest.encode(message, typedAsGenerated(writer));
      return writer.finish();
    },
    responseSerialize: (message) => {
      let payloadBytes = 0;
      for (const frame of message.frames) payloadBytes += payloadOfResponse(frame);
      const writer = new ProtobufWriter(payloadBytes);
      completionV1.SessionResponse.encode(message, typedAsGenerated(writer));
      return writer.finish();
    },
  },
};

/** The generated encoders are typed by protobufjs's class; ours has every method that they call. */
function typedAsGenerated(writer: ProtobufWriter): WireWriter {
  return writer as unknown as WireWriter;
}

/**
 * Bytes of the members that may be long, beside which the rest has at most some kilobytes: names are
 * counted as one byte a character, which costs less than to write them twice.
 */
export function payloadOfRequest({ action }: completionV1.SessionRequestFrame): number {
  if (action?.$case !== 'open') return 0;
  const { input } = action.value;
  if (input === undefined) return 0;
  const capabilityBytes = input.parameters?.capabilityMembers.length ?? 0;
  return capabilityBytes + input.messages.length + namesOf(input.caller);
}

/** Of models and groups that a caller may use: usually there are few. */
function namesOf(caller: completionV1.Caller | undefined): number {
  if (caller === undefined) return 0;
  const { models, pools, grantedGroups, accountModels } = caller;
  return lengthsOf(models) + lengthsOf(pools) + lengthsOf(grantedGroups) + lengthsOf(accountModels);
}

function lengthsOf(names: readonly string[]): number {
  let length = 0;
  for (const name of names) length += name.length;
  return length;
}

/** As `payloadOfRequest`, of an answer's frame. */
export function payloadOfResponse({ event }: completionV1.SessionResponseFrame): number {
  if (event?.$case === 'complete') return event.value.choices.length;
  if (event?.$case !== 'chunk') return 0;
  let bytes = 0;
  for (const each of event.value.choices) bytes += each.length;
  return bytes;
}
