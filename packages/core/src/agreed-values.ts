/** What the gateway, routing, completion and the configuration have to agree on. */

/** Vendor protocols that a channel can speak. */
export const CHANNEL_TYPES = ['openai', 'anthropic', 'gemini', 'simulator'] as const;
export type ChannelType = (typeof CHANNEL_TYPES)[number];

/** How many choices a request may ask for (`n`). */
export const CHOICES_MAX = 16;
