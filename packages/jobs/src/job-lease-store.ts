/** A shard of some work, or the presence of a replica, as the store shows it. */
export interface JobLeaseRow {
  readonly id: string;
  /** The replica that has it; empty when it was released. */
  readonly replica: string;
  /** Grows with every change of replica. */
  readonly fence: bigint;
  /** Grows while the replica lives. */
  readonly beat: bigint;
}

/**
 * Where replicas of a service agree on who does what. Rows of one group belong together. It decides
 * nothing and compares no clocks; its writes are durable before they answer.
 */
export interface JobLeaseStore {
  /** Adds one to the beat of every row that the replica has. */
  beat(group: string, replica: string): Promise<void>;
  /** Every row of the group. */
  read(group: string): Promise<readonly JobLeaseRow[]>;
  /**
   * Writes the row in the place of what was `seen`; false when it is no longer as it was seen, or
   * exists although it was not.
   */
  take(group: string, next: JobLeaseRow, seen: JobLeaseRow | undefined): Promise<boolean>;
  /** Leaves the row without a replica, when it is still this replica's under this fence. */
  release(group: string, id: string, replica: string, fence: bigint): Promise<void>;
  /** Removes rows that are still as they were seen. */
  remove(group: string, rows: readonly JobLeaseRow[]): Promise<void>;
}
