/** How an answer came to its end. `cut` is the simulator's own doing, `aborted` the client's. */
export type DeliveryEnd = 'finished' | 'cut' | 'aborted';

/** The delivered part of one request's answer, counted as it is handed to the socket. */
export interface Delivery {
  /** Counts up from 1 over the life of the process. */
  readonly sequence: number;
  /** The answer's id. */
  readonly id: string;
  /** The client's `x-request-id`. */
  readonly requestId: string | undefined;
  readonly tag: string | undefined;
  readonly model: string;
  readonly stream: boolean;
  readonly promptTokens: number;
  status: number;
  tokens: number;
  bytes: number;
  state: 'running' | DeliveryEnd;
}

/** The members of a delivery that are known when it begins. */
export type NewDelivery = Pick<
  Delivery,
  'id' | 'requestId' | 'tag' | 'model' | 'stream' | 'promptTokens'
>;

/** Sums over everything since the last clearing, forgotten deliveries included. */
export interface DeliveryTotals {
  requests: number;
  tokens: number;
  bytes: number;
  finished: number;
  cut: number;
  aborted: number;
}

/** The last deliveries, a bounded number of them. */
export interface DeliveryLog {
  open(delivery: NewDelivery): Delivery;
  count(delivery: Delivery, tokens: number, bytes: number): void;
  close(delivery: Delivery, state: DeliveryEnd): void;
  /** Oldest first, beginning after the sequence. */
  list(after: number, limit: number): readonly Delivery[];
  totals(): DeliveryTotals;
  clear(): void;
}

const NO_DELIVERIES: DeliveryTotals = Object.freeze({
  requests: 0,
  tokens: 0,
  bytes: 0,
  finished: 0,
  cut: 0,
  aborted: 0,
});

export function createDeliveryLog(sizeMax: number): DeliveryLog {
  let ring: Delivery[] = [];
  let sequence = 0;
  let clearedAt = 0;
  let totals: DeliveryTotals = { ...NO_DELIVERIES };
  return {
    open(given) {
      sequence += 1;
      const delivery: Delivery = {
        sequence,
        ...given,
        status: 0,
        tokens: 0,
        bytes: 0,
        state: 'running',
      };
      ring[sequence % sizeMax] = delivery;
      totals.requests += 1;
      return delivery;
    },
    count(delivery, tokens, bytes) {
      delivery.tokens += tokens;
      delivery.bytes += bytes;
      // A delivery that began before a clearing does not count after it.
      if (delivery.sequence <= clearedAt) return;
      totals.tokens += tokens;
      totals.bytes += bytes;
    },
    close(delivery, state) {
      delivery.state = state;
      if (delivery.sequence > clearedAt) totals[state] += 1;
    },
    list(after, limit) {
      const listed: Delivery[] = [];
      const oldest = Math.max(after, clearedAt, sequence - sizeMax) + 1;
      for (let next = oldest; next <= sequence && listed.length < limit; next += 1) {
        const delivery = ring[next % sizeMax];
        if (delivery !== undefined) listed.push(delivery);
      }
      return listed;
    },
    totals: () => ({ ...totals }),
    clear() {
      ring = [];
      clearedAt = sequence;
      totals = { ...NO_DELIVERIES };
    },
  };
}
