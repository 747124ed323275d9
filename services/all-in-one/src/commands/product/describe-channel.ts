import type { ShownChannel } from '@tollgate/gateway';
import { quote } from '../../quote';

type Pace = NonNullable<ShownChannel['pace']>;
type Health = ShownChannel['health'];
type SwitchedOff = NonNullable<ShownChannel['switched_off']>;

/** What of a channel one line is made of. */
export interface DescribedChannel
  extends Pick<ShownChannel, 'disabled_reason' | 'max_concurrency' | 'status'>,
    Partial<Pick<ShownChannel, 'name'>> {
  readonly pace: Pick<Pace, 'in_words'> | null;
  /** Absent of a channel in a list. */
  readonly switched_off?: Pick<SwitchedOff, 'at' | 'by'> | null;
  readonly health: Pick<
    Health,
    'breaker' | 'last_error' | 'last_error_at' | 'no_room_at' | 'state'
  > & { readonly models?: readonly Pick<Health['models'][number], 'cooldown_until' | 'model'>[] };
}

/** How a channel does, in a line: `enabled, unhealthy: The vendor failed ... As usual: ...`. */
export function describeChannel(channel: DescribedChannel, now: number): string {
  const { disabled_reason, health, status } = channel;
  const breaker = health.breaker === 'closed' ? '' : `, breaker ${health.breaker}`;
  const error = disabled_reason ?? health.last_error;
  const reason = error === null ? '' : ` ${error}`;
  const off = describeSwitchedOff(channel);
  const met = `${describeCooldown(health)}${reason}`;
  const full = describeFull(channel);
  // Of one that turns requests away now, what it met before is no cause.
  const isFull = now - Date.parse(health.no_room_at ?? '') < FULL_MS;
  const told = `${isFull ? `${full}${met}` : `${met}${full}`}${describeRemedy(channel)}`;
  return `${status}${off}, ${health.state}${breaker}:${told} ${describePace(channel)}`;
}

/** A report comes every few seconds while requests find no room. */
const FULL_MS = 60_000;

/** The API tells of pauses that are not over. */
function describeCooldown(health: DescribedChannel['health']): string {
  const paused = listCooling(health);
  return paused === '' ? '' : ` Cooling down, as its vendor asked: ${paused}.`;
}

/** `small until 2026-01-01T00:00:20.000Z`; empty without a pause. */
export function listCooling({ models = [] }: DescribedChannel['health']): string {
  const paused = models.filter(({ cooldown_until: until }) => until !== null);
  return paused.map(({ cooldown_until: until, model }) => `${model} until ${until}`).join(', ');
}

function describeFull({ health, max_concurrency }: DescribedChannel): string {
  const { no_room_at: at } = health;
  if (max_concurrency === null || at === null) return '';
  return (
    ` Full: at ${at} a request found no room, as max_concurrency is ${max_concurrency}: raise it if ` +
    'the vendor allows more, or add a channel of the same models.'
  );
}

/** Of one that its vendor refused: routing asks the vendor once more from time to time. */
function describeRemedy({ name, status }: DescribedChannel): string {
  if (status !== 'auto_disabled' || name === undefined) return '';
  return (
    ' Mend its credential or its account there: it comes back with the next probe, or at once by ' +
    `tollgate channel enable ${quote(name)}.`
  );
}

/** Of one that a person disabled; another says itself why. */
function describeSwitchedOff({ switched_off }: Pick<DescribedChannel, 'switched_off'>): string {
  return switched_off ? ` (${switched_off.at} by ${switched_off.by ?? 'nobody who is known'})` : '';
}

export function describePace({ pace }: Pick<DescribedChannel, 'pace'>): string {
  return pace?.in_words ?? 'Statistics do not answer: nothing is known of its pace.';
}

/** What bounds a call, and whether the channel says so itself. */
export type TimeoutsInForce = Readonly<
  Record<string, ShownChannel['timeouts_in_force']['connect_ms']>
>;

/** `5000 (default)` for each of them. */
export function describeTimeouts(inForce: TimeoutsInForce): Readonly<Record<string, string>> {
  const told = Object.entries(inForce).map(([name, { ms, source }]) => {
    return [name, ms === null ? `not known now (${source})` : `${ms} (${source})`] as const;
  });
  return Object.fromEntries(told);
}
