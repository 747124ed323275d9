import type { Question } from '../../api/chat';
import type { Check } from '../../components/checks';

/** A question as the form holds it. */
export interface Draft {
  model: string;
  system: string;
  prompt: string;
  temperature: string;
  maxTokens: string;
  costMax: string;
}

export const EMPTY_DRAFT: Draft = {
  model: 'auto',
  system: '',
  prompt: '',
  temperature: '',
  maxTokens: '',
  costMax: '',
};

const TEMPERATURE_MAX = 2;

export const isTemperature: Check = (value) => {
  const isNumber = /^\d(\.\d+)?$/.test(value.trim());
  return isNumber && Number(value) <= TEMPERATURE_MAX ? null : `From 0 to ${TEMPERATURE_MAX}`;
};

/** The body that is sent; a field that was left empty is left out. */
export function toBody(draft: Draft): Question {
  const system = draft.system.trim();
  return {
    model: draft.model,
    messages: [
      ...(system === '' ? [] : [{ role: 'system', content: system } as const]),
      { role: 'user', content: draft.prompt },
    ],
    ...(draft.temperature.trim() === '' ? {} : { temperature: Number(draft.temperature) }),
    ...(draft.maxTokens.trim() === '' ? {} : { max_tokens: Number(draft.maxTokens) }),
  };
}

/** The most that the answer may cost; undefined leaves it to the balance. */
export function toCostMax(draft: Draft): string | undefined {
  return draft.costMax.trim() || undefined;
}
