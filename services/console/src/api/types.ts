/** The parts of the API's answers that the console shows. */

export interface User {
  readonly id: string;
  readonly email: string;
  readonly display_name: string;
  readonly role: string;
  readonly account: { readonly id: string; readonly name: string; readonly plan: string } | null;
}

export interface Session {
  readonly access_token: string;
  /** Seconds. */
  readonly expires_in: number;
  /** Good for one use: the next session has another. */
  readonly refresh_token: string;
  readonly user: User;
}

export interface Balance {
  readonly currency: string;
  readonly balance: string;
  readonly reserved: string;
  readonly available: string;
  readonly total_credits: string;
  readonly total_usage: string;
  readonly plan: string;
}

export interface ApiKey {
  readonly id: string;
  readonly name: string;
  readonly preview: string;
  readonly status: string;
  readonly scopes: readonly string[];
  readonly created_at: string;
  readonly last_used_at: string | null;
}

export interface CreatedKey extends ApiKey {
  /** Shown once. */
  readonly key: string;
}

export interface Channel {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly base_url: string;
  readonly status: string;
  readonly models: readonly { readonly name: string }[];
  readonly health: { readonly state: string; readonly latency_ms: number | null };
}

export interface HealthCheck {
  readonly healthy: boolean;
  readonly latency_ms: number | null;
  readonly error: string | null;
}

export interface Page<Item> {
  readonly items: readonly Item[];
  readonly next_cursor: string | null;
}

export interface UsageRow {
  readonly bucket: string;
  readonly group: Readonly<Record<string, string>>;
  readonly metrics: {
    readonly requests: number;
    readonly failed_requests: number;
    readonly total_tokens: number;
    readonly spend: string;
  };
}

export interface Usage {
  readonly results: readonly UsageRow[];
  readonly totals: UsageRow['metrics'];
  readonly as_of: string;
}
