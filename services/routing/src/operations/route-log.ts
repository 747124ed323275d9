// The words of the route log: each says what changed, so that a replica reads no more than that.

/** In the log: of these channels, or with `OBSERVED_ALL` of any, nothing changed but the health. */
const OBSERVED = 'observed:';
const OBSERVED_ALL = 'observed';

/** What the log is told when anything of a channel changed but its health. */
export const channelChanged = (channelId: string) => `channel:${channelId}`;

/** What the log is told when the channels of an account were removed. */
export const ownedChannelsChanged = (accountId: string) => `channels-of:${accountId}`;

/** What the log is told when a model of the catalogue changed. */
export const modelChanged = (name: string) => `model:${name}`;

/** The log keeps some twenty changes, and is read as a whole. */
const OBSERVED_NAMED_MAX = 500;

/** What the log is told when calls or checks showed something of the health of channels. */
export function observedChanges(channelIds: readonly string[]): readonly string[] {
  if (channelIds.length > OBSERVED_NAMED_MAX) return [OBSERVED_ALL];
  return channelIds.map((id) => `${OBSERVED}${id}`);
}

/** The channels of which no more changed than their health; undefined when more changed. */
export function observedIn(changes: readonly string[]): readonly string[] | 'all' | undefined {
  const isObserved = (change: string) => change === OBSERVED_ALL || change.startsWith(OBSERVED);
  if (!changes.every(isObserved)) return undefined;
  if (changes.includes(OBSERVED_ALL)) return 'all';
  return [...new Set(changes.map((change) => change.slice(OBSERVED.length)))];
}
