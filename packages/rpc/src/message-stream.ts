import type { ClientReadableStream, ServiceError } from '@grpc/grpc-js';
import type { AppError } from '@tollgate/core';
import { fromStatus } from './error-mapping';

/** Bounds of messages, the same at both ends. */
export const MESSAGE_OPTIONS = {
  'grpc.max_receive_message_length': 16 * 1024 * 1024,
  'grpc.max_send_message_length': 16 * 1024 * 1024,
  'grpc-node.flow_control_window': 1024 * 1024,
} as const;

/** The events of a stream of messages; `onEnd` is called exactly once. */
export interface MessageListener<Message> {
  onMessage(message: Message): void;
  /** Without an error when the server ended the stream well. */
  onEnd(error?: AppError): void;
}

/** A server's stream as its peer sees it. */
export interface MessageStream<Message> {
  listen(listener: MessageListener<Message>): void;
  /** Ends the call; the listener's `onEnd` hears SERVICE_UNAVAILABLE. */
  cancel(): void;
}

/** Both directions of a long-lived stream. */
export interface DuplexCall<Incoming, Outgoing> {
  onMessage(listener: (message: Incoming) => void): void;
  /** Called once: the peer closed its side, or the call broke. */
  onEnd(listener: (error?: AppError) => void): void;
  write(message: Outgoing): boolean;
  onDrain(listener: () => void): void;
}

/** Wraps a grpc-js stream; errors become AppErrors. */
export function createMessageStream<Message>(
  call: ClientReadableStream<Message>,
): MessageStream<Message> {
  // An unlistened 'error' would end the process when a stream is dropped before it is read.
  call.on('error', () => {});

  const listen = (listener: MessageListener<Message>) => {
    const end = onlyOnce((error) => listener.onEnd(error));
    call.on('data', (message: Message) => listener.onMessage(message));
    call.on('error', (error: ServiceError) => end(fromStatus(error)));
    call.on('end', () => {
      // grpc-js emits 'end' before 'error' when the status is not OK: give the status its turn.
      setImmediate(() => end());
    });
  };

  return { listen, cancel: () => call.cancel() };
}

/** The end of a stream is told once, whichever of its signs comes first. */
export function onlyOnce(listener: (error?: AppError) => void): (error?: AppError) => void {
  let ended = false;
  return (error) => {
    if (ended) return;
    ended = true;
    listener(error);
  };
}
