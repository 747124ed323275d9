import type { Simulation } from '../world/simulation';

/** How often something was met in schedules; a check that meets nothing shows nothing. */
export type Coverage = ReadonlyMap<string, number>;

/** The events that the schedule of this simulation met. */
export function coverageOf({ requests, replicas, invariants }: Simulation): Coverage {
  const met = new Map<string, number>(invariants.met);
  const meet = (name: string) => met.set(name, (met.get(name) ?? 0) + 1);
  for (const { asks, observed, clientRequestId } of requests.values()) {
    meet('requests');
    if (observed.beginDurable) meet('begun');
    const { outcome } = observed;
    if (outcome === undefined) meet(observed.beginDurable ? 'died' : 'never began');
    else meet('code' in outcome ? `${outcome.kind} ${outcome.code}` : outcome.kind);
    if (clientRequestId !== undefined && observed.ends.length > 0) meet('unreadable record');
    if (outcome?.kind === 'answered') meet(`answered ${asks}`);
    for (const end of observed.ends) {
      const { cacheWriteTokens, completionAudioTokens, reason, reasoningTokens, source } = end;
      meet(`end ${reason}`);
      if (completionAudioTokens !== undefined) meet('end after audio');
      if (reasoningTokens !== undefined) meet('end after thoughts');
      if (source === 'partial' && cacheWriteTokens !== undefined) meet('cut after a cache write');
    }
  }
  for (const { id } of replicas.claims.values()) {
    meet(`claim of a ${id.startsWith('code:') ? 'code' : 'payment'}`);
  }
  for (const entries of replicas.ledger.values()) {
    for (const entry of entries.values()) {
      if (entry.kind === 'adjustment') meet(`adjustment ${entry.amount < 0n ? 'down' : 'up'}`);
      if (entry.kind !== 'charge') continue;
      meet(`charge ${entry.settledReason}`);
      if (entry.absorbed > 0n) meet('charge absorbed');
      if (entry.overrun > 0n) meet('charge overrun');
    }
  }
  return met;
}

/** Both together. */
export function addCoverage(sum: Map<string, number>, more: Coverage): void {
  for (const [name, count] of more) sum.set(name, (sum.get(name) ?? 0) + count);
}
