import type { ChannelType, Clock } from '@tollgate/core';
import type { AnswerRoom } from '../domain/answer-room';
import {
  type VendorCall,
  type VendorCompletion,
  VendorFailure,
  type VendorPort,
  type VendorStream,
} from '../domain/vendor';
import { type EmbeddingForm, embeddingFormOf } from '../domain/vendor-abilities';
import { aborted, notSent } from '../domain/vendor-failures';
import type { RouteChannel } from '../routing/candidate';
import { anthropicProtocol } from './anthropic/index';
import type { ChannelConnections } from './channel-connections';
import { geminiEmbeddings, geminiProtocol } from './gemini/index';
import { type ChannelMonitor, guarded } from './health/channel-monitor';
import { openaiEmbeddings, openaiProtocol } from './openai/index';
import { unreadable } from './protocol/failures';
import type {
  AnswerReader,
  AnswerTimeouts,
  ReadBounds,
  VendorProtocol,
} from './protocol/vendor-protocol';
import { createWholeReader, tooLong } from './protocol/whole-reader';
import type { RefusalLog } from './refusal-log';
import { createVectorSizes, type VectorSizes } from './vector-sizes';
import type { VectorReader } from './vectors';
import { VendorAnswer, type VendorAnswerDependencies } from './vendor-answer';

/** Bounds of vendor calls. */
export interface VendorBounds extends ReadBounds {
  /** From sending to the head of a stream. */
  readonly headTimeoutMs: number;
  /** The same for an answer in one piece, whose head many vendors send when all of it is made. */
  readonly wholeHeadTimeoutMs: number;
  readonly connectTimeoutMs: number;
  readonly firstTokenTimeoutMs: number;
  readonly totalTimeoutMs: number;
  /** Longest answer that is not streamed. */
  readonly answerBytesMax: number;
  /** Bytes of a stream that wait for their reader before the vendor is paused. */
  readonly streamBytesMax: number;
}

/** Lines whose end has not come have room of their own: they may not cost others a whole answer. */
export interface AnswerRooms {
  readonly answers: AnswerRoom;
  readonly lines: AnswerRoom;
}

export interface VendorClientDependencies {
  readonly connections: ChannelConnections;
  readonly monitor: ChannelMonitor;
  readonly clock: Clock;
  readonly bounds: VendorBounds;
  readonly rooms: AnswerRooms;
  readonly refusals: RefusalLog;
  readonly vectors: Pick<VectorReader, 'read'>;
  /** A vendor did not keep to max_tokens, and its answer was cut. */
  readonly onPastAsked: (channel: RouteChannel) => void;
}

const PROTOCOLS: Readonly<Record<ChannelType, VendorProtocol>> = {
  openai: openaiProtocol,
  anthropic: anthropicProtocol,
  gemini: geminiProtocol,
  // The stand-in speaks the usual protocol, so that what it proves holds for real vendors too.
  simulator: openaiProtocol,
};

const EMBEDDING_PROTOCOLS: Readonly<Record<EmbeddingForm, VendorProtocol>> = {
  openai: openaiEmbeddings,
  gemini: geminiEmbeddings,
};

function protocolOf({ candidate, embedding }: VendorCall): VendorProtocol {
  const { type } = candidate.channel;
  if (embedding === undefined) return PROTOCOLS[type];
  const form = embeddingFormOf(type);
  if (form === undefined) throw notSent('the protocol of the channel has no embeddings');
  return EMBEDDING_PROTOCOLS[form];
}

/** Calls vendors over HTTP, through each channel's connections and breaker. */
export function createVendorClient(deps: VendorClientDependencies): VendorPort {
  const { monitor, connections } = deps;
  const sizes = createVectorSizes(deps.bounds.answerBytesMax);
  return {
    healthOf(candidate, accountId) {
      const health = monitor.healthOf(candidate, accountId);
      const connection = connections.get(candidate.channel.id);
      const isCrowded = accountId !== undefined && connection?.pool.hasRoom(accountId) === false;
      return isCrowded ? { ...health, isCrowded } : health;
    },
    noteSpeed: monitor.noteSpeed,
    noteRejected: monitor.noteRejected,
    lateFirstTokenMs: monitor.lateFirstTokenMs,
    setChannels(channels) {
      connections.setChannels(channels);
      monitor.setChannels(channels.filter((channel) => connections.get(channel.id) !== undefined));
      // A channel may take more at once than before: calls in its queues wait for nothing else.
      for (const { id } of channels) connections.get(id)?.pool.lookAtQueues();
    },
    complete: async (call, signal) =>
      guarded(deps, call, signal, (watch) => complete(deps, sizes, call, { signal, ...watch })),
    stream: async (call, signal) =>
      guarded(deps, call, signal, (watch) => openStream(deps, call, { signal, ...watch })),
  };
}

/** `signal` ends a call from outside; `onTurn` hears that it is made, `onOver` of its end. */
type CallEnd = Pick<VendorAnswerDependencies<never>, 'onOver' | 'onTurn' | 'signal'>;

async function complete(
  deps: VendorClientDependencies,
  sizes: VectorSizes,
  call: VendorCall,
  end: CallEnd,
): Promise<VendorCompletion> {
  sizes.requireFit(call);
  const { answers } = deps.rooms;
  const { answerBytesMax } = deps.bounds;
  const onVectors = (bytes: number, vectors: number) => sizes.note(call, bytes, vectors);
  const answer = begin(deps, call, end, {
    createReader: (protocol) => createWholeReader(protocol, call, answerBytesMax, onVectors),
    openMemory: (cut) => ({ waiting: answers.open(cut), reading: answers.open(cut) }),
  });
  const [read] = (await answer.next()) ?? [];
  if (read === undefined) throw unreadable('the vendor answered nothing');
  const completion = Buffer.isBuffer(read) ? await readVectors(deps, call, read, end) : read;
  return { ...completion, release: answers.countComplete(completion.choices.length) };
}

/** A body that waits to be read gives way to other answers as one does that is still coming. */
async function readVectors(
  { rooms, bounds, vectors }: VendorClientDependencies,
  call: VendorCall,
  body: Buffer,
  { signal }: CallEnd,
): Promise<VendorCompletion> {
  const cut = new AbortController();
  const held = rooms.answers.open((failure) => cut.abort(failure));
  try {
    held.hold(body.length);
    const completion = await vectors.read(body, call, AbortSignal.any([signal, cut.signal]));
    if (completion.choices.length > bounds.answerBytesMax) throw tooLong(call, body.length);
    return completion;
  } finally {
    held.release();
  }
}

async function openStream(
  deps: VendorClientDependencies,
  call: VendorCall,
  end: CallEnd,
): Promise<VendorStream> {
  const { answers, lines } = deps.rooms;
  const answer = begin(deps, call, end, {
    createReader: (protocol) => protocol.createStreamReader(deps.bounds, call),
    openMemory: (cut) => ({ waiting: answers.open(cut), reading: lines.open(cut) }),
  });
  try {
    await answer.opened;
  } catch (error) {
    if (error instanceof VendorFailure) tellStreamed(deps, call, error);
    throw error;
  }
  return answer;
}

/** What the vendor said in the event by which it ended the stream. */
function tellStreamed(
  { refusals }: VendorClientDependencies,
  call: VendorCall,
  failure: VendorFailure,
): void {
  if (failure.untoldError === undefined) return;
  failure.words = refusals.noteStreamed(call, failure.untoldError);
  failure.untoldError = undefined;
}

/** How the body of an answer is read. */
interface Reading<Piece> extends Pick<VendorAnswerDependencies<Piece>, 'openMemory'> {
  readonly createReader: (protocol: VendorProtocol) => AnswerReader<Piece>;
}

function begin<Piece>(
  deps: VendorClientDependencies,
  call: VendorCall,
  end: CallEnd,
  { createReader, openMemory }: Reading<Piece>,
): VendorAnswer<Piece> {
  const { channel } = call.candidate;
  const protocol = protocolOf(call);
  const connection = deps.connections.get(channel.id);
  if (connection === undefined) throw notSent('the channel is gone');
  // The call's credential is for the address that the channel had when the request was planned.
  if (connection.baseUrl !== channel.baseUrl) throw notSent('the channel has another address now');
  if (end.signal.aborted) throw aborted(false);
  const { clock, bounds, monitor } = deps;
  return new VendorAnswer(
    {
      connection,
      protocol,
      clock,
      bounds,
      openMemory,
      ...end,
      reader: createReader(protocol),
      timeouts: timeoutsOf(call, bounds),
      waitingBytesMax: bounds.streamBytesMax,
      onPastAsked: () => deps.onPastAsked(channel),
      onBroken(failure) {
        tellStreamed(deps, call, failure);
        monitor.note(call.candidate, { outcome: failure.outcome, latencyMs: 0, failure });
      },
      onRefused(refusal, failure) {
        failure.words = deps.refusals.note(call, refusal);
      },
    },
    call,
  );
}

/** The channel's bounds, and ours where it has none. */
function timeoutsOf(
  { candidate, queueWait, stream }: VendorCall,
  bounds: VendorBounds,
): AnswerTimeouts {
  const { timeouts } = candidate.channel;
  // More than one may take to open, so that it is told from none being free: the first is the
  // vendor's failure. By default less than a gateway waits for a stream before it sends a head
  // that says 200.
  const connectionMs = 1.5 * (timeouts.connectMs || bounds.connectTimeoutMs);
  return {
    connectionMs,
    // All channels of a request together: else each one that hangs would add its own wait.
    queueMs: Math.max(0, connectionMs - queueWait.ms),
    headMs: stream
      ? timeouts.headMs || bounds.headTimeoutMs
      : timeouts.wholeHeadMs || bounds.wholeHeadTimeoutMs,
    firstEventMs: stream ? timeouts.firstTokenMs || bounds.firstTokenTimeoutMs : undefined,
    totalMs: timeouts.totalMs || bounds.totalTimeoutMs,
  };
}
