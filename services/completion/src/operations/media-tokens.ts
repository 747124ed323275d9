import { createBoundedMap } from '@tollgate/core';
import { mediaTokensUsual, promptTokensToReserve } from '../usage/estimate';
import { type CompletionRequest, promptTextBytesOf } from './request';
import type { FinishedRequest } from './worked-tokens';

/** What the models of channels count for images and files, as far as vendors' counts told. */
export interface MediaTokens {
  /** Learns from a vendor's count of a prompt with images, or with files, but not with both. */
  noteCounted(finished: FinishedRequest, promptTokens: number): void;
  /**
   * Tokens that the images and files of a prompt are likely to have beyond the usual ones, which are
   * charged where the vendor counts nothing.
   */
  beyondUsualOf(finished: FinishedRequest): number;
}

const MODELS_MAX = 10_000;
/** The weight of the newest count in a running average. */
const WEIGHT_OF_LAST = 1 / 8;

type Kind = 'files' | 'images';

/** Knows of no model at first. */
export function createMediaTokens(): MediaTokens {
  /** Of one image or one file, by its kind, channel and model. */
  const tokensOf = createBoundedMap<string, number>(MODELS_MAX);
  const learned = (finished: FinishedRequest, kind: Kind): number => {
    const count = finished.request.media[kind];
    const usual = mediaTokensUsual({ bytes: 0, files: 0, images: 0, [kind]: count });
    const tokens = tokensOf.get(keyOf(finished, kind));
    return tokens === undefined ? usual : tokens * count;
  };
  return {
    noteCounted(finished, promptTokens) {
      const { request } = finished;
      const kind = onlyKindOf(request);
      if (kind === undefined) return;
      const key = keyOf(finished, kind);
      const ofText = promptTokensToReserve(promptTextBytesOf(request), request.messageCount);
      const tokens = Math.max(0, promptTokens - ofText) / request.media[kind];
      const known = tokensOf.get(key) ?? tokens;
      tokensOf.set(key, known + (tokens - known) * WEIGHT_OF_LAST);
    },
    beyondUsualOf(finished) {
      const { candidate, request } = finished;
      const usual = mediaTokensUsual(request.media);
      const most = candidate.model.vendorTokensMax || Number.POSITIVE_INFINITY;
      const likely = Math.min(learned(finished, 'files') + learned(finished, 'images'), most);
      return Math.max(0, Math.round(likely - usual));
    },
  };
}

function onlyKindOf({ media: { files, images } }: CompletionRequest): Kind | undefined {
  if (files > 0) return images > 0 ? undefined : 'files';
  return images > 0 ? 'images' : undefined;
}

function keyOf({ candidate: { channel, model } }: FinishedRequest, kind: Kind): string {
  return `${kind} ${channel.id} ${model.name}`;
}
