import { AppError, type Clock, toAppError } from '@tollgate/core';
import type { EgressClient } from '@tollgate/egress';
import type { Channel } from '../domain/channel';
import type { VendorProbe } from '../domain/ports';

/** What the probe works with. */
export interface VendorProbeOptions {
  readonly egress: EgressClient;
  readonly clock: Clock;
  readonly timeoutMs: number;
}

const RESPONSE_BYTES_MAX = 1024 * 1024;
/** A channel may give a vendor an hour for an answer; nobody waits as long for a check. */
const CHECK_MS_MAX = 120_000;
const MODELS_MAX = 1000;

/** Speaks just enough of the vendor protocol to see whether a channel works. */
export function createVendorProbe(options: VendorProbeOptions): VendorProbe {
  const { egress, clock, timeoutMs } = options;
  return {
    async checkAddress(url) {
      try {
        await egress.checkUrl(url);
      } catch (error) {
        const { code, publicMessage, message: internalMessage } = toAppError(error);
        throw new AppError(code, { param: 'base_url', publicMessage, internalMessage });
      }
    },
    async check(channel, credential, upstreamModel) {
      const startedMs = clock.monotonicMs();
      const elapsedMs = () => Math.round(clock.monotonicMs() - startedMs);
      try {
        const { status, body } = await egress.requestOnce(
          `${trimmed(channel.baseUrl)}/chat/completions`,
          {
            method: 'POST',
            headers: { ...authorization(credential), 'content-type': 'application/json' },
            body: Buffer.from(toProbeBody(upstreamModel)),
            timeoutMs: Math.min(channel.timeouts.totalMs || timeoutMs, CHECK_MS_MAX),
            maxResponseBytes: RESPONSE_BYTES_MAX,
          },
        );
        const error = faultOf(status, body);
        return { healthy: error === '', latencyMs: elapsedMs(), httpStatus: status, error };
      } catch (error) {
        const text =
          error instanceof AppError ? error.publicMessage : 'The vendor cannot be reached.';
        return { healthy: false, latencyMs: null, httpStatus: null, error: text };
      }
    },
    async listModels(baseUrl, credential) {
      try {
        const { status, body } = await egress.requestOnce(`${trimmed(baseUrl)}/models`, {
          method: 'GET',
          headers: authorization(credential),
          timeoutMs,
          maxResponseBytes: RESPONSE_BYTES_MAX,
        });
        return status === 200 ? fromModelList(body.toString('utf8')) : [];
      } catch {
        return [];
      }
    },
  };
}

function trimmed(baseUrl: string): string {
  return baseUrl.replace(/\/+$/, '');
}

function authorization(credential: string): Record<string, string> {
  return credential === '' ? {} : { authorization: `Bearer ${credential}` };
}

function toProbeBody(model: Channel['models'][number]['upstreamName']): string {
  return JSON.stringify({ model, messages: [{ role: 'user', content: 'ping' }], max_tokens: 1 });
}

/**
 * What is wrong with the answer, in our own words; empty when it is a completion. A proxy's welcome
 * page and a captive portal answer 200 too, so the status alone proves nothing.
 */
function faultOf(status: number, body: Buffer): string {
  if (status < 200 || status > 299) return `The vendor answered with HTTP status ${status}.`;
  if (isCompletion(body.toString('utf8'))) return '';
  return 'The vendor answered with something that is not a completion.';
}

/** A JSON object without an error whose first choice has a message. */
function isCompletion(text: string): boolean {
  const answer = parsed(text);
  if (!isObject(answer) || (answer.error !== undefined && answer.error !== null)) return false;
  const [choice] = Array.isArray(answer.choices) ? (answer.choices as readonly unknown[]) : [];
  return isObject(choice) && isObject(choice.message);
}

/** The `id`s of a model list; anything else counts as an empty one. */
function fromModelList(text: string): readonly string[] {
  const list = parsed(text);
  if (!isObject(list) || !Array.isArray(list.data)) return [];
  return list.data.slice(0, MODELS_MAX).flatMap((entry: unknown) => {
    if (!isObject(entry)) return [];
    return typeof entry.id === 'string' ? [entry.id] : [];
  });
}

/** The value, or undefined when the text is no JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
