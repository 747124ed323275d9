import type { LogFields } from '@tollgate/core';
import type { ListenAddress } from '../wire/listener';

/** What the thread is started with. */
export interface WorkerSettings {
  readonly dataPath: string;
  readonly listen: ListenAddress;
}

/** What the thread tells its owner. Fields of a log line are text by then. */
export type FromWorker =
  | { readonly kind: 'listening'; readonly uri: string }
  | { readonly kind: 'failed'; readonly message: string }
  | {
      readonly kind: 'log';
      readonly level: 'debug' | 'info' | 'warn' | 'error';
      readonly fields: LogFields;
      readonly message: string;
    };

/** What the owner tells the thread. */
export type ToWorker = 'close';
