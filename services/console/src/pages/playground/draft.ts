import type { ChatBody } from '../../api/chat';
import type { Check } from '../../components/checks';

type UserContent = Extract<ChatBody['messages'][number], { role: 'user' }>['content'];

/** A request as the form holds it. */
export interface Draft {
  model: string;
  system: string;
  prompt: string;
  temperature: string;
  maxTokens: string;
  costMax: string;
  /** JSON as the API takes it; empty for none. */
  tools: string;
  /** A data URL; empty for none. */
  image: string;
}

export const EMPTY_DRAFT: Draft = {
  model: 'auto',
  system: '',
  prompt: '',
  temperature: '',
  maxTokens: '',
  costMax: '',
  tools: '',
  image: '',
};

/** The form as somebody left it, until the tab is closed. */
export interface KeptDraft {
  read(userId: string): Draft;
  keep(userId: string, draft: Draft): void;
}

/** In memory alone: prompts are nobody else's, neither the disk's nor the next person's. */
export function createKeptDraft(): KeptDraft {
  let kept: { readonly userId: string; readonly draft: Draft } | undefined;
  return {
    read: (userId) => (kept?.userId === userId ? kept.draft : EMPTY_DRAFT),
    keep(userId, draft) {
      // A picture would go along unseen: the field that names its file is empty then.
      kept = { userId, draft: { ...draft, image: '' } };
    },
  };
}

export const keptDraft = createKeptDraft();

const TEMPERATURE_MAX = 2;

export const isTemperature: Check = (value) => {
  const isNumber = /^\d(\.\d+)?$/.test(value.trim());
  return isNumber && Number(value) <= TEMPERATURE_MAX ? null : `From 0 to ${TEMPERATURE_MAX}`;
};

const TOOL_NAME = /^[\w-]{1,64}$/;

/** A list of functions; what stands in them is the API's to judge. */
export const areTools: Check = (text) => {
  const tools = parse(text);
  if (!Array.isArray(tools) || tools.length === 0) return 'A list in JSON, such as the example';
  const areNamed = tools.every((tool) => TOOL_NAME.test(String(tool?.function?.name ?? '')));
  return areNamed ? null : 'Each tool needs {"type":"function","function":{"name":…}}';
};

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The body that is sent; a field that was left empty is left out. */
export function toBody(draft: Draft): ChatBody {
  const system = draft.system.trim();
  const hasTools = draft.tools.trim() !== '' && areTools(draft.tools) === null;
  return {
    model: draft.model,
    messages: [
      ...(system === '' ? [] : [{ role: 'system', content: system } as const]),
      { role: 'user', content: toContent(draft) },
    ],
    ...(draft.temperature.trim() === '' ? {} : { temperature: Number(draft.temperature) }),
    ...(draft.maxTokens.trim() === '' ? {} : { max_tokens: Number(draft.maxTokens) }),
    ...(hasTools ? { tools: parse(draft.tools) as NonNullable<ChatBody['tools']> } : {}),
  };
}

function toContent({ prompt, image }: Draft): UserContent {
  if (image === '') return prompt;
  return [
    { type: 'text', text: prompt },
    { type: 'image_url', image_url: { url: image } },
  ];
}

/** The most that the answer may cost; undefined leaves it to the balance. */
export function toCostMax(draft: Draft): string | undefined {
  return draft.costMax.trim() || undefined;
}
