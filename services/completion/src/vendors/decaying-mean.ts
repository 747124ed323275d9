/** A measurement's weight halves in this time, so that a vendor's past is forgotten. */
const HALF_LIFE_MS = 60_000;

/** A mean of measurements of which the newer weigh more. */
export class DecayingMean {
  #sum = 0;
  #weight = 0;
  #atMs = 0;

  /** Undefined before the first measurement. */
  get value(): number | undefined {
    return this.#weight === 0 ? undefined : this.#sum / this.#weight;
  }

  /** Since the newest measurement; undefined before the first. */
  ageMsAt(nowMs: number): number | undefined {
    return this.#weight === 0 ? undefined : nowMs - this.#atMs;
  }

  add(measured: number, nowMs: number): void {
    const kept = 0.5 ** ((nowMs - this.#atMs) / HALF_LIFE_MS);
    this.#sum = this.#sum * kept + measured;
    this.#weight = this.#weight * kept + 1;
    this.#atMs = nowMs;
  }
}
