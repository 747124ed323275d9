import type { LogFields } from '@tollgate/core';
import type { ListenAddress } from '../wire/listener';

/** The settings that the thread is started with. */
export interface WorkerSettings {
  readonly dataPath: string;
  readonly listen: ListenAddress;
}

/** Messages of the thread to its owner. Fields of a log line are text by then. */
export type FromWorker =
  | { readonly kind: 'listening'; readonly uri: string }
  | { readonly kind: 'failed'; readonly message: string }
  | {
      readonly kind: 'log';
      readonly level: 'debug' | 'info' | 'warn' | 'error';
      readonly fields: LogFields;
      readonly message: string;
    };

/** Messages of the owner to the thread. */
export type ToWorker = 'close';
