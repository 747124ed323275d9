// Original file: tollgate/routing/v1/routing.proto

/**
 * Which channels are listed; without one every channel.
 */
export const ChannelSelection = {
  CHANNEL_SELECTION_UNSPECIFIED: 'CHANNEL_SELECTION_UNSPECIFIED',
  /**
   * Those that no account owns.
   */
  CHANNEL_SELECTION_SHARED: 'CHANNEL_SELECTION_SHARED',
  /**
   * Those that accounts own and that were disabled automatically.
   */
  CHANNEL_SELECTION_OWNED_SELF_DISABLED: 'CHANNEL_SELECTION_OWNED_SELF_DISABLED',
} as const;

/**
 * Which channels are listed; without one every channel.
 */
export type ChannelSelection =
  | 'CHANNEL_SELECTION_UNSPECIFIED'
  | 0
  /**
   * Those that no account owns.
   */
  | 'CHANNEL_SELECTION_SHARED'
  | 1
  /**
   * Those that accounts own and that were disabled automatically.
   */
  | 'CHANNEL_SELECTION_OWNED_SELF_DISABLED'
  | 2

/**
 * Which channels are listed; without one every channel.
 */
export type ChannelSelection__Output = typeof ChannelSelection[keyof typeof ChannelSelection]
