import type { Clock, Logger } from '@tollgate/core';
import type { UsageSpool } from '../domain/ports';
import type { RouteTable } from '../domain/route-table';
import type { TokenCounter } from '../domain/token-count';
import type { VendorPort } from '../domain/vendor';
import type { LeaseManager } from '../leases/lease-manager';
import type { CompletionMetrics } from '../metrics';
import type { ActiveRuns } from './active-runs';

/** Bounds of one request. */
export interface RunLimits {
  /** Vendor calls for one request, the first included. */
  readonly attemptsMax: number;
  readonly checkpointMs: number;
  readonly checkpointTokens: number;
  /** A stream paused for this long has a gateway that went silent: slow readers end there. */
  readonly stalledReaderMs: number;
}

/** What every completion works with. */
export interface CompletionDependencies {
  /** Undefined before the first table came. */
  readonly routeTable: () => RouteTable | undefined;
  readonly vendors: VendorPort;
  readonly leases: LeaseManager;
  readonly spool: UsageSpool;
  readonly runs: ActiveRuns;
  readonly tokens: TokenCounter;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: CompletionMetrics;
  readonly limits: RunLimits;
  /** Aborts when the service begins to drain: sessions tell their peers. */
  readonly draining: AbortSignal;
  /** Numbers in [0, 1) that decide among equal channels. */
  readonly random: () => number;
}
