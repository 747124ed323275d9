import type { Request } from '../../api/schemas';
import type { Tone } from '../../components/status';
import { formatName } from '../../format/names';

const ANSWERED: ReadonlySet<string> = new Set(['stop', 'tool_calls']);
const CUT: ReadonlySet<string> = new Set(['length', 'content_filter', 'client_gone', 'deadline']);

/** How an ending is to be taken: done, cut short, or failed. */
export function toneOfEnd(reason: string): Tone {
  if (ANSWERED.has(reason)) return 'good';
  return CUT.has(reason) ? 'warn' : 'bad';
}

const NAMES: Readonly<Record<string, string>> = {
  stop: 'Succeeded',
  tool_calls: 'Asked for a tool',
  length: 'Reached its cap',
  content_filter: 'Filtered',
  client_gone: 'Client left',
  vendor_gone: 'Vendor broke off',
  deadline: 'Took too long',
  shutdown: 'Service stopped',
  crash: 'Service ended',
};
/** The API names vendors otherwise here. */
const ERROR_NAMES: Readonly<Record<string, string>> = {
  UPSTREAM_ERROR: 'Vendor error',
  UPSTREAM_TIMEOUT: 'Vendor timed out',
};

/** One name of an ending wherever it stands: that of its error where there was one. */
export function nameEnd(reason: string, errorCode: string | null): string {
  if (errorCode === null) return NAMES[reason] ?? formatName(reason);
  return ERROR_NAMES[errorCode] ?? formatName(errorCode.toLowerCase());
}

const SENTENCES: Readonly<Record<string, string>> = {
  stop: 'The model finished its answer.',
  tool_calls: 'The model asked for a tool.',
  length: 'The answer reached its cap of tokens.',
  content_filter: "The vendor's filter ended the answer.",
  client_gone: 'The client closed the connection; what was delivered is charged.',
  vendor_gone: 'The vendor broke off; what was delivered is charged.',
  vendor_error: 'The vendor answered an error.',
  no_channel: 'No channel could serve it.',
  deadline: 'It took longer than allowed.',
  shutdown: 'The service was stopped; what was delivered is charged.',
  crash: 'The service ended unexpectedly; what was delivered is charged.',
  internal_error: 'The service failed.',
};

/** Why a request ended, as a sentence. */
export function describeEnd(reason: string, errorCode: string | null): string {
  if (reason === 'vendor_gone' && errorCode === 'UPSTREAM_TIMEOUT') {
    return 'The vendor fell silent; what was delivered is charged.';
  }
  return SENTENCES[reason] ?? reason;
}

type Outcome = Pick<Request, 'status' | 'prompt_tokens' | 'completion_tokens'>;

/** Nothing came of it and nothing was counted: its zeros are no amounts. */
export function isNothing({ status, prompt_tokens, completion_tokens }: Outcome): boolean {
  return status === 'failed' && prompt_tokens + completion_tokens === 0;
}
