import type { ServerResponse } from 'node:http';
import type { Clock, Timer } from '@tollgate/core';
import type { DeliveryEnd } from '../domain/delivery-log';
import type { Script, Step } from '../domain/script';

/** Who hears what happens while a script is played. */
export interface ScriptListener {
  onHead(status: number): void;
  /** Bytes of the body handed to the socket, and the tokens that they complete. */
  onWritten(tokens: number, bytes: number): void;
  /** Called once, last. */
  onOver(state: DeliveryEnd): void;
}

/**
 * Plays the steps on a response, respecting its back-pressure. Plain callbacks, because most
 * scripts are a head and an end and should cost nothing beside them.
 */
export function playScript(
  script: Script,
  response: ServerResponse,
  clock: Clock,
  listener: ScriptListener,
): void {
  new ScriptPlayer(script, response, clock, listener).play();
}

/**
 *   playing ──last step──▶ (response closes) over
 *      │ ◀── wait, tick, drain
 *      └── reset, or the client goes away ──▶ over
 */
class ScriptPlayer {
  readonly #script: Script;
  readonly #response: ServerResponse;
  readonly #clock: Clock;
  readonly #listener: ScriptListener;
  readonly #play = () => this.play();
  #next = 0;
  #over = false;
  #timer: Timer | undefined;

  constructor(script: Script, response: ServerResponse, clock: Clock, listener: ScriptListener) {
    this.#script = script;
    this.#response = response;
    this.#clock = clock;
    this.#listener = listener;
    response.on('close', () => this.#end(response.writableFinished ? 'finished' : 'aborted'));
    response.on('error', () => {});
  }

  play(): void {
    while (!this.#over) {
      const step = this.#script[this.#next];
      if (step === undefined) return;
      this.#next += 1;
      if (!this.#take(step)) return;
    }
  }

  /** Does one step; false when the next one has to wait. */
  #take(step: Step): boolean {
    const response = this.#response;
    switch (step.do) {
      case 'wait':
        this.#timer = this.#clock.schedule(step.ms, this.#play);
        return false;
      case 'tick':
        setImmediate(this.#play);
        return false;
      case 'head':
        this.#listener.onHead(step.status);
        response.writeHead(step.status, step.headers);
        return true;
      case 'flush':
        response.flushHeaders();
        return true;
      case 'write': {
        this.#listener.onWritten(step.tokens, Buffer.byteLength(step.data));
        if (response.write(step.data)) return true;
        response.once('drain', this.#play);
        return false;
      }
      case 'end':
        this.#listener.onWritten(step.tokens, Buffer.byteLength(step.data));
        response.end(step.data);
        return false;
      case 'reset':
        this.#reset();
        return false;
      case 'hang':
        return false;
    }
  }

  #reset(): void {
    const { socket } = this.#response;
    if (socket === null || socket.destroyed) return;
    // The empty write's callback runs when everything before it has left the process.
    socket.write('', () => {
      this.#end('cut');
      socket.resetAndDestroy();
    });
  }

  #end(state: DeliveryEnd): void {
    if (this.#over) return;
    this.#over = true;
    this.#timer?.cancel();
    this.#listener.onOver(state);
  }
}
