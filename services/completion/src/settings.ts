import type { CompletionConfig } from './config';
import type { LeaseLimits } from './leases/lease-parts';
import type { RunLimits } from './operations/dependencies';
import type { PublicationLimits } from './operations/publish-usage';
import type { MonitorLimits } from './providers/channel-monitor';
import type { ConnectionLimits } from './providers/channel-pools';
import type { VendorLimits } from './providers/vendor-client';
import type { SpoolLimits } from './spool/spool-parts';

/** The configuration as each part takes it. */
export interface CompletionSettings {
  readonly spool: SpoolLimits;
  readonly run: RunLimits;
  readonly leases: LeaseLimits;
  readonly publication: PublicationLimits;
  readonly breaker: MonitorLimits;
  readonly connections: ConnectionLimits;
  readonly vendor: VendorLimits;
}

/** Sorts the flat keys by who reads them. */
export function toSettings(config: CompletionConfig): CompletionSettings {
  return {
    spool: {
      segmentBytesMax: config.spoolSegmentBytes,
      totalBytesMax: config.spoolBytesMax,
    },
    run: {
      attemptsMax: config.attemptsMax,
      checkpointMs: config.checkpointMs,
      checkpointTokens: config.checkpointTokens,
      stalledReaderMs: config.stalledReaderMs,
    },
    leases: {
      waitersMax: config.leaseWaitersMax,
      idlePoorMs: config.leaseIdlePoorMs,
      idleRichMs: config.leaseIdleRichMs,
      slowPaceMs: config.leaseSlowPaceMs,
      refusalMs: config.refusalCacheMs,
      tickMs: config.leaseTickMs,
    },
    publication: {
      batchMs: config.publishBatchMs,
      batchRecordsMax: config.publishRecordsMax,
      pollMs: config.settlementPollMs,
      leasesPerPollMax: config.settlementLeasesMax,
      resendMs: config.resendMs,
      busTimeoutMs: config.busTimeoutMs,
      busPauseMs: config.busPauseMs,
    },
    breaker: {
      failurePercent: config.breakerFailurePercent,
      callsMin: config.breakerCallsMin,
      openMs: config.breakerOpenMs,
      breakersMax: config.breakersMax,
    },
    connections: {
      connectionsPerChannelMax: config.connectionsPerChannelMax,
      connectTimeoutMs: config.connectTimeoutMs,
      idleTimeoutMs: config.idleTimeoutMs,
      keepAliveMs: config.keepAliveMs,
    },
    vendor: {
      connectTimeoutMs: config.connectTimeoutMs,
      headTimeoutMs: config.headTimeoutMs,
      wholeHeadTimeoutMs: config.wholeHeadTimeoutMs,
      firstTokenTimeoutMs: config.firstTokenTimeoutMs,
      totalTimeoutMs: config.totalTimeoutMs,
      answerBytesMax: config.answerBytesMax,
      lineBytesMax: config.lineBytesMax,
      streamBytesMax: config.streamBytesMax,
      retryAfterMsMax: config.retryAfterMsMax,
    },
  };
}
