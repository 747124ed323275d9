// Original file: tollgate/routing/v1/routing.proto

export const ChannelType = {
  CHANNEL_TYPE_UNSPECIFIED: 'CHANNEL_TYPE_UNSPECIFIED',
  CHANNEL_TYPE_OPENAI: 'CHANNEL_TYPE_OPENAI',
  CHANNEL_TYPE_ANTHROPIC: 'CHANNEL_TYPE_ANTHROPIC',
  CHANNEL_TYPE_GEMINI: 'CHANNEL_TYPE_GEMINI',
  CHANNEL_TYPE_SIMULATOR: 'CHANNEL_TYPE_SIMULATOR',
} as const;

export type ChannelType =
  | 'CHANNEL_TYPE_UNSPECIFIED'
  | 0
  | 'CHANNEL_TYPE_OPENAI'
  | 1
  | 'CHANNEL_TYPE_ANTHROPIC'
  | 2
  | 'CHANNEL_TYPE_GEMINI'
  | 3
  | 'CHANNEL_TYPE_SIMULATOR'
  | 4

export type ChannelType__Output = typeof ChannelType[keyof typeof ChannelType]
