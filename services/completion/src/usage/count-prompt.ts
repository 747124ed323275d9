import { type CountPiece, countTexts, type Random } from './count';
import { mediaTokensUsual, TOKENS_PER_LOW_IMAGE } from './estimate';

/** Framing of a message and of a prompt, as the tokenizers of the field count it. */
const TOKENS_PER_MESSAGE = 4;
const TOKENS_PER_PROMPT = 3;

/** Tokens of a prompt: all its texts, and the framing of messages. */
export function countPromptText(
  count: CountPiece,
  messages: Buffer,
  capabilityMembers: Buffer,
  random: Random,
): number {
  const parsed = JSON.parse(messages.toString()) as readonly unknown[];
  const texts = [...parsed.flatMap(textsOf), capabilityMembers.toString()];
  const framing = framingTokensOf(parsed) + mediaTokensOf(parsed);
  return framing + countTexts(count, texts, random);
}

/** Texts that become vectors stand alone. */
function framingTokensOf(messages: readonly unknown[]): number {
  if (typeof messages[0] === 'string') return 0;
  return TOKENS_PER_PROMPT + TOKENS_PER_MESSAGE * messages.length;
}

function textsOf(message: unknown): readonly string[] {
  if (typeof message === 'string') return [message];
  if (typeof message !== 'object' || message === null) return [];
  const {
    content,
    role: _role,
    thinking_blocks: thoughts,
    ...others
  } = message as Readonly<Record<string, unknown>>;
  // Text apart, the parts of a content are images and files, whose bytes are no tokens.
  const said = Array.isArray(content) ? content.map((part: ContentPart) => part.text) : [content];
  const thought = Array.isArray(thoughts) ? thoughts.map((block: Thought) => block.thinking) : [];
  return [...said, ...thought, ...Object.values(others)]
    .filter((value) => value !== undefined)
    .map((value) => (typeof value === 'string' ? value : JSON.stringify(value ?? '')));
}

/** Its signature, and what a vendor keeps to itself, are no text. */
interface Thought {
  readonly thinking?: unknown;
}

interface ContentPart {
  readonly type?: unknown;
  readonly text?: unknown;
  readonly image_url?: { readonly detail?: unknown };
}

/** As vendors usually count: a stream that its client left costs no more than all of it. */
function mediaTokensOf(messages: readonly unknown[]): number {
  const parts = messages.flatMap((message) => {
    const { content } = (message ?? {}) as { readonly content?: unknown };
    return Array.isArray(content) ? (content as readonly ContentPart[]) : [];
  });
  const ofType = (type: string) => parts.filter((part) => part.type === type);
  const images = ofType('image_url');
  const low = images.filter((part) => part.image_url?.detail === 'low').length;
  const others = { bytes: 0, images: images.length - low, files: ofType('file').length };
  return low * TOKENS_PER_LOW_IMAGE + mediaTokensUsual(others);
}
