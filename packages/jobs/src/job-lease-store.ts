/** Who leads a group of replicas, as the store shows it. */
export interface JobLeaseRow {
  /** The replica that leads; empty when it left. */
  readonly replica: string;
  /** Grows with every change of leader. */
  readonly fence: bigint;
  /** Grows while the leader lives. */
  readonly beat: bigint;
}

/**
 * Where the replicas of a service agree on who leads: one row for each group. It decides nothing
 * and compares no clocks; its writes are durable before they answer.
 */
export interface JobLeaseStore {
  /** Adds one to the beat of the row and answers it; undefined when the replica has it not. */
  beat(group: string, replica: string): Promise<JobLeaseRow | undefined>;
  /** Undefined while nobody ever led. */
  read(group: string): Promise<JobLeaseRow | undefined>;
  /**
   * Writes the row in the place of what was `seen`; false when it is no longer as it was seen, or
   * exists although it was not.
   */
  take(group: string, next: JobLeaseRow, seen: JobLeaseRow | undefined): Promise<boolean>;
  /** Leaves the row without a replica, when it is still this replica's under this fence. */
  release(group: string, replica: string, fence: bigint): Promise<void>;
}
