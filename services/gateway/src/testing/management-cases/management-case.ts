export const NOW = '2026-02-03T10:00:00.000Z';

/** One management call, what the owning service answers, and what it is asked. */
export interface ManagementCase {
  readonly method: string;
  /** As in the path table. */
  readonly path: string;
  /** The path that is asked for; the row's own when absent. */
  readonly url?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly service: 'identity' | 'billing' | 'routing' | 'stats' | 'webhook';
  readonly rpc: string;
  readonly answer: unknown;
  /** A part of the request that the service got. */
  readonly asked?: object;
}

/** The row as the audit log names its operation, and the call that it leads to. */
export function row(
  line: `${string} ${string}`,
  call: `${ManagementCase['service']}.${string}`,
  rest: Partial<ManagementCase> = {},
): ManagementCase {
  const [method = '', path = ''] = line.split(' ');
  const [service, rpc] = call.split('.') as [ManagementCase['service'], string];
  return { method, path, service, rpc, answer: {}, ...rest };
}
