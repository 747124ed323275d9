/** Bounds of what runs together. */
export interface SlotLimits {
  readonly total: number;
  readonly perEndpoint: number;
}

/** Places for attempts that run together. */
export interface AttemptSlots {
  /** A place, as the function that gives it back; undefined when there is none for it now. */
  take(endpointId: string, failing: boolean): (() => void) | undefined;
  readonly taken: number;
  readonly isFull: boolean;
  /** Endpoints that have all that they may have. */
  saturated(): readonly string[];
}

/**
 * No endpoint gets more than its part, and all failing ones together at most half of the places:
 * receivers that hang until their time-out leave the other half to those that answer.
 */
export function createAttemptSlots(limits: SlotLimits): AttemptSlots {
  const byEndpoint = new Map<string, number>();
  const failingMax = Math.max(1, Math.floor(limits.total / 2));
  let taken = 0;
  let failingTaken = 0;
  return {
    take(endpointId, failing) {
      const own = byEndpoint.get(endpointId) ?? 0;
      if (taken >= limits.total || own >= limits.perEndpoint) return undefined;
      if (failing && failingTaken >= failingMax) return undefined;
      byEndpoint.set(endpointId, own + 1);
      taken += 1;
      if (failing) failingTaken += 1;
      let held = true;
      return () => {
        if (!held) return;
        held = false;
        taken -= 1;
        if (failing) failingTaken -= 1;
        const left = (byEndpoint.get(endpointId) ?? 1) - 1;
        if (left === 0) byEndpoint.delete(endpointId);
        else byEndpoint.set(endpointId, left);
      };
    },
    get taken() {
      return taken;
    },
    get isFull() {
      return taken >= limits.total;
    },
    saturated: () =>
      [...byEndpoint]
        .filter(([, own]) => own >= limits.perEndpoint)
        .map(([endpointId]) => endpointId),
  };
}
