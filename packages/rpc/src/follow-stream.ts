import {
  type BackoffPolicy,
  backoffDelayMs,
  type Clock,
  type Logger,
  type Timer,
} from '@tollgate/core';
import type { MessageStream } from './message-stream';

/** How to follow a pushed snapshot. */
export interface FollowOptions<Message> {
  /** The followed source, for logs. */
  readonly name: string;
  open(): MessageStream<Message>;
  onMessage(message: Message): void;
  /** Called when the stream delivers again, and when it breaks. */
  onState?(connected: boolean): void;
  /** Silence that counts as a broken stream, milliseconds: several heartbeats. */
  readonly silenceTimeoutMs: number;
  readonly backoff: BackoffPolicy;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Keeps a stream open: reconnects with back-off, and treats silence as a break. */
export function followStream<Message>(options: FollowOptions<Message>): { stop(): void } {
  const { clock, logger, name } = options;
  let stopped = false;
  let attempt = 0;
  let connected = false;
  let current: MessageStream<Message> | undefined;
  let timer: Timer | undefined;

  const setConnected = (value: boolean) => {
    if (connected === value) return;
    connected = value;
    options.onState?.(value);
  };

  const connect = () => {
    if (stopped) return;
    const stream = options.open();
    current = stream;
    let over = false;
    const finish = (reason: unknown) => {
      if (over) return;
      over = true;
      timer?.cancel();
      setConnected(false);
      if (stopped) return;
      stream.cancel();
      const delayMs = backoffDelayMs(options.backoff, attempt);
      attempt += 1;
      logger.debug({ stream: name, reason, delayMs }, 'stream broke; connecting again');
      timer = clock.schedule(delayMs, connect);
    };
    const awaitNext = () => {
      timer?.cancel();
      timer = clock.schedule(options.silenceTimeoutMs, () => finish('silence'));
    };
    stream.listen({
      onMessage(message) {
        if (over) return;
        attempt = 0;
        awaitNext();
        options.onMessage(message);
        setConnected(true);
      },
      onEnd: (error) => finish(error?.message ?? 'ended by the server'),
    });
    awaitNext();
  };

  connect();
  return {
    stop() {
      stopped = true;
      timer?.cancel();
      current?.cancel();
    },
  };
}
