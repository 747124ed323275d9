/** A shard of some work, or the presence of a replica, as the store shows it. */
export interface LeaseRow {
  readonly id: string;
  /** The replica that has it; empty when it was released. */
  readonly holder: string;
  /** Grows with every change of holder. */
  readonly fence: bigint;
  /** Grows while the holder lives. */
  readonly beat: bigint;
}

/**
 * Where replicas of a service agree on who does what. Rows of one group belong together. It decides
 * nothing and compares no clocks; its writes are durable before they answer.
 */
export interface LeaseStore {
  /** Adds one to the beat of every row that the holder has. */
  beat(group: string, holder: string): Promise<void>;
  /** Every row of the group. */
  read(group: string): Promise<readonly LeaseRow[]>;
  /**
   * Writes the row in the place of what was `seen`; false when it is no longer as it was seen, or
   * exists although it was not.
   */
  take(group: string, next: LeaseRow, seen: LeaseRow | undefined): Promise<boolean>;
  /** Leaves the row without a holder, when it still has this holder and this fence. */
  release(group: string, id: string, holder: string, fence: bigint): Promise<void>;
  /** Removes rows that are still as they were seen. */
  remove(group: string, rows: readonly LeaseRow[]): Promise<void>;
}
