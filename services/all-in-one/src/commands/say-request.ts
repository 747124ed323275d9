/** What of a request's story one line is made of. */
export interface ToldRequest {
  readonly status: string;
  readonly error_code: string | null;
  readonly requested_model: string | null;
  readonly model?: string;
  readonly message?: string;
  readonly end_reason?: string;
  readonly latency_ms?: number;
  readonly charge?: string;
  readonly prompt_tokens?: number;
  readonly completion_tokens?: number;
  readonly failed_attempts?: readonly FailedAttempt[];
  readonly now?: Conditions;
}

interface FailedAttempt {
  readonly channel_id: string;
  readonly reason: string;
  readonly http_status?: number;
  readonly vendor_message?: string;
}

interface Conditions {
  readonly account: { readonly name: string; readonly status: string } | null;
  readonly key: { readonly name: string; readonly status: string } | null;
}

/** What became of a request, in a line: `failed with UPSTREAM_ERROR: auto, led to small, ...`. */
export function sayRequest(story: ToldRequest): string {
  const { error_code, requested_model: asked, status } = story;
  const outcome = error_code === null ? status : `${status} with ${error_code}`;
  const parts = [
    asked === null ? undefined : `asked for ${asked}`,
    story.model === undefined || story.model === asked ? undefined : `led to ${story.model}`,
    story.message?.replace(/\.$/, ''),
    ...sayAnswer(story),
    sayLastFailure(story.failed_attempts),
    ...sayOwner(story.now),
  ];
  return `${outcome}: ${parts.filter((part) => part !== undefined).join(', ')}`;
}

function sayAnswer({ charge, latency_ms, ...tokens }: ToldRequest): readonly string[] {
  if (charge === undefined) return [];
  const { completion_tokens: written = 0, prompt_tokens: read = 0 } = tokens;
  return [`${latency_ms} ms`, `${read + written} tokens`, `charged ${charge}`];
}

function sayLastFailure(attempts: readonly FailedAttempt[] = []): string | undefined {
  const last = attempts.at(-1);
  if (last === undefined) return undefined;
  const { channel_id, http_status, reason, vendor_message } = last;
  const said = vendor_message === undefined ? reason : `"${vendor_message}"`;
  return `${channel_id} answered ${http_status === undefined ? '' : `${http_status} `}${said}`;
}

function sayOwner(now: Conditions | undefined): readonly string[] {
  const { account, key } = now ?? { account: null, key: null };
  return [
    ...(account === null ? [] : [`account ${account.name} is ${account.status} now`]),
    ...(key === null ? [] : [`API key ${key.name} is ${key.status}`]),
  ];
}
