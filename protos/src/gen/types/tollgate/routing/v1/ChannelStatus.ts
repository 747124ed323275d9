// Original file: tollgate/routing/v1/routing.proto

export const ChannelStatus = {
  CHANNEL_STATUS_UNSPECIFIED: 'CHANNEL_STATUS_UNSPECIFIED',
  CHANNEL_STATUS_ENABLED: 'CHANNEL_STATUS_ENABLED',
  CHANNEL_STATUS_DISABLED: 'CHANNEL_STATUS_DISABLED',
  CHANNEL_STATUS_AUTO_DISABLED: 'CHANNEL_STATUS_AUTO_DISABLED',
} as const;

export type ChannelStatus =
  | 'CHANNEL_STATUS_UNSPECIFIED'
  | 0
  | 'CHANNEL_STATUS_ENABLED'
  | 1
  | 'CHANNEL_STATUS_DISABLED'
  | 2
  | 'CHANNEL_STATUS_AUTO_DISABLED'
  | 3

export type ChannelStatus__Output = typeof ChannelStatus[keyof typeof ChannelStatus]
