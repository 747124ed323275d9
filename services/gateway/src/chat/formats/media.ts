import { z } from 'zod';
import { invalidField } from '../../http/errors';
import type { CanonicalMessage, CanonicalPart, MessageNeeds } from './canonical';
import { isAbsent } from './fields';

/** The bounds of what is no text. */
export const MEDIA_BOUNDS = {
  /** Images and files of a request. */
  mediaMax: 64,
  addressLengthMax: 2048,
  filenameLengthMax: 256,
} as const;

/** Kinds of images that every vendor takes. */
export const IMAGE_TYPES = ['image/png', 'image/jpeg', 'image/webp', 'image/gif'] as const;
const FILE_TYPE = 'application/pdf';
const IMAGE_DETAILS = ['auto', 'low', 'high'] as const;

export const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;
const IMAGE_RULE = `an address, or the data URL of ${IMAGE_TYPES.join(', ')} in base64`;
const FILE_RULE = `the data URL of ${FILE_TYPE} in base64`;
const ADDRESS = /^https?:\/\/[^\s"\\]+$/i;

/** An image of a data URL or an address. */
export function imagePartOf(url: unknown, detail: unknown, param: string): CanonicalPart {
  if (typeof url !== 'string' || !isImageUrl(url)) {
    throw invalidField(param, `an image must be ${IMAGE_RULE}.`);
  }
  if (isAbsent(detail) || detail === 'auto') {
    return { type: 'image_url', image_url: { url } };
  }
  const imageDetail = IMAGE_DETAILS.find((each) => each === detail);
  if (imageDetail === undefined) {
    throw invalidField(param, `the detail of an image must be one of ${IMAGE_DETAILS.join(', ')}.`);
  }
  return { type: 'image_url', image_url: { url, detail: imageDetail } };
}

function isImageUrl(url: string): boolean {
  const isData = IMAGE_TYPES.some((type) => url.startsWith(`data:${type};base64,`));
  if (isData) return BASE64.test(url.slice(url.indexOf(',') + 1));
  return url.length <= MEDIA_BOUNDS.addressLengthMax && ADDRESS.test(url);
}

/** A file of a data URL. */
export function filePartOf(data: unknown, filename: unknown, param: string): CanonicalPart {
  if (typeof data !== 'string' || !isFileData(data)) {
    throw invalidField(param, `a file must be ${FILE_RULE}.`);
  }
  const lengthMax = MEDIA_BOUNDS.filenameLengthMax;
  const named = !isAbsent(filename);
  if (named && (typeof filename !== 'string' || filename.length > lengthMax)) {
    throw invalidField(
      param,
      `the name of a file must be a string of at most ${lengthMax} characters.`,
    );
  }
  return { type: 'file', file: { ...(named ? { filename } : {}), file_data: data } };
}

function isFileData(data: string): boolean {
  const head = `data:${FILE_TYPE};base64,`;
  return data.startsWith(head) && BASE64.test(data.slice(head.length));
}

/** The same rules for the API's document. */
export const imageUrlSchema = z.string().refine(isImageUrl).describe(`Is ${IMAGE_RULE}.`);
export const imageDetailSchema = z.enum(IMAGE_DETAILS).nullish();
export const fileDataSchema = z.string().refine(isFileData).describe(`Is ${FILE_RULE}.`);
export const filenameSchema = z.string().max(MEDIA_BOUNDS.filenameLengthMax).nullish();

/** The texts as one, unless there is something between them that is none. */
export function joinTexts(
  parts: readonly CanonicalPart[],
  betweenTexts: string,
): string | readonly CanonicalPart[] {
  const texts = parts.flatMap((part) => (part.type === 'text' ? [part.text] : []));
  return texts.length === parts.length ? texts.join(betweenTexts) : parts;
}

/** The needs of one more message, whose content stands at `place`. */
export function withMedia(
  needs: MessageNeeds,
  { content }: CanonicalMessage,
  place: string,
): MessageNeeds {
  if (typeof content === 'string' || content === null) return needs;
  const has = (type: CanonicalPart['type']) => content.some((part) => part.type === type);
  return {
    ...(has('image_url') ? { images: place } : {}),
    ...(has('file') ? { files: place } : {}),
    ...needs,
  };
}

/** How many images and files a request may have. */
export function requireFewMedia(messages: readonly CanonicalMessage[], param: string): void {
  let media = 0;
  for (const { content } of messages) {
    if (typeof content === 'string' || content === null) continue;
    media += content.filter(({ type }) => type !== 'text').length;
  }
  if (media <= MEDIA_BOUNDS.mediaMax) return;
  throw invalidField(param, `must have at most ${MEDIA_BOUNDS.mediaMax} images and files.`);
}
