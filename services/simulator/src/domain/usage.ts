import { assertNever } from '@tollgate/core';
import type { UsageReport } from './effects';

const ABSURD_TOKENS = '1e80';

/** The usage object as JSON text, true or not; some of it is deliberately no JSON. */
export function usageJson(report: UsageReport, prompt: number, completion: number): string {
  switch (report) {
    case 'exact':
    case 'none':
    case 'twice':
    case 'early':
      return counts(prompt, completion, prompt + completion);
    case 'zero':
      return counts(0, 0, 0);
    case 'negative':
      return counts(-prompt - 1, -completion - 1, -prompt - completion - 2);
    case 'fraction':
      return counts(prompt + 0.5, completion + 0.5, prompt + completion + 1);
    case 'nan':
      return counts('NaN', 'NaN', 'NaN');
    case 'null':
      return counts('null', 'null', 'null');
    case 'string':
      return counts(`"${prompt}"`, `"${completion}"`, `"${prompt + completion}"`);
    case 'absurd':
      return counts(ABSURD_TOKENS, ABSURD_TOKENS, ABSURD_TOKENS);
    default:
      return assertNever(report);
  }
}

function counts(prompt: number | string, completion: number | string, total: number | string) {
  return `{"prompt_tokens":${prompt},"completion_tokens":${completion},"total_tokens":${total}}`;
}
