import { Kafka, logLevel } from 'kafkajs';

interface RequestQueue {
  readonly pending: readonly unknown[];
  scheduleCheckPendingRequests(): void;
}

/**
 * A client that logs nothing. kafkajs 2.2.4 arms a timer of about minus the present time after each
 * answer, for a queue that is nearly always empty, and Node warns of it on the terminal.
 */
export function createKafka(brokers: string): Kafka {
  const { prototype } = require('kafkajs/src/network/requestQueue') as { prototype: RequestQueue };
  if (!isCorrected) {
    isCorrected = true;
    const { scheduleCheckPendingRequests: schedule } = prototype;
    prototype.scheduleCheckPendingRequests = function scheduleWhenNeeded(this: RequestQueue) {
      if (this.pending.length > 0) schedule.call(this);
    };
  }
  return new Kafka({ brokers: brokers.split(','), logLevel: logLevel.NOTHING });
}

let isCorrected = false;
