import type { VendorFailure, VendorFrame, VendorStream } from '../domain/vendor';

/** A stream whose vendor is the test itself. */
export class PlayedStream implements VendorStream {
  #waiting: VendorFrame[] = [];
  #taker: PromiseWithResolvers<readonly VendorFrame[] | undefined> | undefined;
  #end: { readonly failure: VendorFailure | undefined } | undefined;

  /** Nobody asks for more: a real vendor would be paused when enough waits. */
  get paused(): boolean {
    return this.#taker === undefined;
  }

  async next(): Promise<readonly VendorFrame[] | undefined> {
    if (this.#waiting.length > 0) return this.#waiting.splice(0);
    if (this.#end === undefined) {
      this.#taker = Promise.withResolvers();
      return this.#taker.promise;
    }
    if (this.#end.failure !== undefined) throw this.#end.failure;
    return undefined;
  }

  /** The vendor sends. */
  send(...frames: readonly VendorFrame[]): void {
    if (this.#taker === undefined) this.#waiting.push(...frames);
    else this.#taker.resolve(frames);
    this.#taker = undefined;
  }

  /** The one end of the answer: whole, or cut by the failure. */
  end(failure?: VendorFailure): void {
    this.#end ??= { failure };
    if (failure === undefined) this.#taker?.resolve(undefined);
    else this.#taker?.reject(failure);
    this.#taker = undefined;
  }
}
