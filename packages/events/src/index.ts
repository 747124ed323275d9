export { createEvent, createWaitingEvent, toOutgoing } from './create-event';
export {
  type EventBus,
  type EventHandler,
  HandledInPart,
  type HandlerControl,
  type OutgoingEvent,
  type ReceivedEvent,
  type SerialisedEvent,
  type Subscription,
} from './event-bus';
export {
  type CatalogueEntry,
  EVENT_SCHEMA_VERSION,
  type EventData,
  type EventOf,
  type EventType,
  eventCatalogue,
  type TollgateEvent,
} from './event-catalogue';
export { createEventMetrics } from './event-metrics';
export { createInProcessBus } from './in-process/in-process-bus';
export { describeCluster } from './kafka/create-kafka-client';
export { toKafkaEndpoint } from './kafka/kafka-settings';
export { migrateTopics, type TopicMigration } from './kafka/migrate-topics';
export { provideEventBus, type SharedBus } from './provide-event-bus';
export {
  type DenialReason,
  type DenialsCounted,
  isRateLimit,
  OWNERLESS_PER_EVENT_MAX,
  REFUSALS_PER_EVENT_MAX,
  type RefusalsSampled,
  type RefusalsUnauthorized,
  type RefusalsUnrouted,
  type UnservedCounted,
} from './schemas/denials';
export {
  type LedgerAdjustmentPosted,
  type LedgerEntryPosted,
  ledgerEventId,
} from './schemas/ledger';
export {
  fromUsageRecordEvent,
  toUsageRecordEvent,
  type UsageRecordEvent,
  usageRecord,
} from './schemas/usage';
export { OPERATOR_KEY, TOPICS } from './topics';
export {
  type SerialisedLedgerEntry,
  writeLedgerEvents,
  writeUsageEvents,
} from './write-batches';
