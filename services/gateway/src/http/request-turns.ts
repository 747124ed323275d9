import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** Who serves what one connection asks for. */
export interface RequestTurns {
  readonly listener: RequestListener;
  /** Whether the connection has ever asked for anything. */
  knows(socket: Duplex): boolean;
  /** The request that is answered on the connection now. */
  answering(socket: Duplex): ServerResponse | undefined;
  /** Runs after the answers to all that was asked before; never when the connection ends first. */
  afterAnswers(socket: Duplex, step: () => void): void;
}

/** The requests that one connection still waits for. */
interface Turns {
  current: ServerResponse | undefined;
  readonly waiting: (() => void)[];
}

/**
 * Begins each request of a connection when the answer to the one before has left. Node reads ahead
 * and would begin them all, but a response that never gets its turn is never told that its client
 * is gone: whatever it holds (a permit, a file, a call to another service) it would hold for ever.
 *
 * A client that asks for more than `waitingMax` requests ahead is cut. `onAnswered` hears of each
 * answer that is over, before the next request of its connection begins.
 */
export function createRequestTurns(
  listener: RequestListener,
  waitingMax: number,
  onAnswered: (socket: Socket) => void,
): RequestTurns {
  const connections = new WeakMap<Duplex, Turns>();
  const turnsOf = (socket: Duplex): Turns => {
    const known = connections.get(socket);
    if (known !== undefined) return known;
    const made: Turns = { current: undefined, waiting: [] };
    connections.set(socket, made);
    return made;
  };
  const begin = (turns: Turns, request: IncomingMessage, response: ServerResponse) => {
    turns.current = response;
    listener(request, response);
    response.once('close', () => {
      turns.current = undefined;
      onAnswered(request.socket);
      // After everybody else who hears of the end, so that the next request finds all released.
      if (turns.waiting.length > 0) queueMicrotask(() => next(turns, request.socket));
    });
  };
  const next = (turns: Turns, socket: Duplex) => {
    if (socket.destroyed || socket.writableEnded) turns.waiting.length = 0;
    turns.waiting.shift()?.();
  };
  return {
    listener(request, response) {
      const { socket } = request;
      const turns = turnsOf(socket);
      if (turns.current === undefined && turns.waiting.length === 0) {
        begin(turns, request, response);
        return;
      }
      if (turns.waiting.length < waitingMax) {
        turns.waiting.push(() => begin(turns, request, response));
        return;
      }
      turns.waiting.length = 0;
      socket.destroy();
    },
    knows: (socket) => connections.has(socket),
    answering: (socket) => connections.get(socket)?.current,
    afterAnswers(socket, step) {
      const turns = turnsOf(socket);
      if (turns.current === undefined && turns.waiting.length === 0) step();
      else turns.waiting.push(step);
    },
  };
}
