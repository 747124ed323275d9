import { AppError, type ChannelId, nano } from '@tollgate/core';
import { type Channel, UNKNOWN_HEALTH } from '../domain/channel';
import { completeNewSettings } from '../domain/channel-settings';
import type { Model } from '../domain/model';

export const NEW_CHANNEL = {
  name: 'c',
  type: 'openai',
  baseUrl: 'https://vendor.example/v1',
} as const;

/** The refusal that it throws. */
export function refusalOf(run: () => unknown): AppError {
  try {
    run();
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}

export function channelWith(over: Partial<Channel> = {}): Channel {
  return {
    ...completeNewSettings(NEW_CHANNEL),
    id: 'chn_1' as ChannelId,
    sealedCredential: 'sealed',
    credentialPreview: '…abcd',
    health: UNKNOWN_HEALTH,
    autoDisabled: null,
    followsSimulator: false,
    createdAtMs: 1,
    updatedAtMs: 1,
    ...over,
  };
}

export function modelNamed(name: string): Model {
  const price = { prompt: nano(1n), completion: nano(2n), cachedPrompt: nano(1n) };
  return {
    name,
    kind: 'chat',
    description: '',
    contextLength: 100,
    maxCompletionTokens: 10,
    capabilities: [],
    ownedBy: 'x',
    createdAtMs: 0,
    prices: [{ ...price, version: 1, effectiveAtMs: 0 }],
  };
}
