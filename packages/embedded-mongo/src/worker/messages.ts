import type { LogFields } from '@tollgate/core';
import type { ListenAddress } from '../wire/listener';

/** Where the thread's store keeps its data and listens. */
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
export type ToWorker =
  | { readonly kind: 'open'; readonly settings: WorkerSettings }
  | { readonly kind: 'close' };
