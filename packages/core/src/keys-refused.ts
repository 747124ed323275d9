import { AppError, type AppErrorDetails } from './app-error';

/** Some of a call may not have been taken: what has one of these keys. All the rest was. */
export class KeysRefused extends AppError {
  readonly keys: ReadonlySet<string>;

  constructor(keys: ReadonlySet<string>, details: AppErrorDetails) {
    super('SERVICE_UNAVAILABLE', details);
    this.keys = keys;
  }
}
