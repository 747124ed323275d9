import { answerBoundOf, openaiTarget, textOfThoughts } from '@tollgate/core';
import { bodyWithoutThoughts, takesThoughts, withoutThoughts } from '../../domain/earlier-thoughts';
import type { VendorCall } from '../../domain/vendor';
import { thoughtsIn } from '../protocol/thoughts';
import { requestHeaders, type VendorRequest } from '../protocol/vendor-protocol';

const OPENING_BRACE = 0x7b;

/**
 * The body is written around the client's messages: they are the bulk of it and already canonical,
 * so they are neither parsed nor serialised here, unless there are thoughts among them. A stream
 * always asks for usage, whatever the client asked, because it decides what is charged.
 */
export function buildRequest(call: VendorCall): VendorRequest {
  const { upstreamName } = call.candidate;
  const members = parameterMembers(call);
  const body = [
    Buffer.from(`{"model":${JSON.stringify(upstreamName)},"messages":`),
    historyOf(call),
    Buffer.from(members.map((member) => `,${member}`).join('')),
    capabilityMembers(call.parameters.capabilityMembers),
    Buffer.from('}'),
  ];
  return toRequest(call, 'chat/completions', body);
}

/** Most vendors refuse members that they do not know, and want no thoughts back. */
function historyOf({ candidate: { channel }, messages }: VendorCall): Buffer {
  if (!takesThoughts(channel)) return bodyWithoutThoughts(messages);
  return withoutThoughts(messages, (message) => ({
    reasoning_content: textOfThoughts(thoughtsIn(message)),
  }));
}

/** A request of the protocol. */
export function toRequest(
  call: VendorCall,
  method: Parameters<typeof openaiTarget>[1],
  body: readonly Buffer[],
): VendorRequest {
  const { channel, upstreamName } = call.candidate;
  const { headers, path } = openaiTarget(channel, method, upstreamName);
  return { path, headers: requestHeaders(call, headers), body };
}

function parameterMembers(call: VendorCall): readonly string[] {
  const { parameters } = call;
  const { channel, upstreamName } = call.candidate;
  const members: string[] = [];
  const add = (name: string, value: number | string | undefined) => {
    if (value !== undefined) members.push(`"${name}":${value}`);
  };
  add('temperature', parameters.temperature);
  add('top_p', parameters.topP);
  add(answerBoundOf(channel, upstreamName), call.maxTokens);
  if (parameters.stop.length > 0) add('stop', JSON.stringify(parameters.stop));
  add('presence_penalty', parameters.presencePenalty);
  add('frequency_penalty', parameters.frequencyPenalty);
  add('seed', parameters.seed?.toString());
  if (parameters.user !== '') add('user', JSON.stringify(parameters.user));
  if (call.stream) members.push('"stream":true', '"stream_options":{"include_usage":true}');
  return members;
}

// The canonical object `{"tools":...}` becomes `,"tools":...`.
function capabilityMembers(object: Buffer): Buffer {
  if (object.length <= 2 || object[0] !== OPENING_BRACE) return Buffer.alloc(0);
  const inner = Buffer.from(object.subarray(0, -1));
  inner.write(',', 0);
  return inner;
}
