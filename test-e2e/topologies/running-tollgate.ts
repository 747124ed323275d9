import type { Api } from '../support/api';
import type { RunningProcess } from '../support/running-process';

/** The product as a suite sees it, whether it is one process or many. */
export interface RunningTollgate {
  readonly baseUrl: string;
  /** The first key: the operator's. */
  readonly apiKey: string;
  readonly operatorEmail: string;
  readonly operatorPassword: string;
  readonly api: Api;
  /** Of separate services it is the gateway's process, with what all of them have printed. */
  readonly process: RunningProcess;
  readonly dataDirectory: string;
  /**
   * All that the store holds, a text for each value or document: of one process once it has ended,
   * of separate services at any time.
   */
  storedTexts(): Promise<readonly string[]>;
  /** Ends what runs without a chance to tidy up, and starts it again on the same data. */
  killAndRestart(): Promise<void>;
  /** Ends what runs in order and starts it again on the same data. */
  restart(): Promise<void>;
  /** Ends everything in order; answers the exit code. Data goes too. */
  stop(): Promise<number | string>;
}
