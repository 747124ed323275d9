import {
  AppError,
  type Clock,
  isObject,
  isOutOfCredit,
  parseJson,
  toAppError,
  vendorBaseOf,
} from '@tollgate/core';
import type { EgressClient } from '@tollgate/egress';
import { isUpstreamName } from '../domain/channel-settings';
import type { ModelListing, VendorProbe } from '../domain/ports';
import { EMBEDDING_PROBES, PROBE_PROTOCOLS, type ProbeProtocol } from './probe-protocols';

export interface VendorProbeOptions {
  readonly egress: EgressClient;
  readonly clock: Clock;
  readonly timeoutMs: number;
}

const RESPONSE_BYTES_MAX = 1024 * 1024;
/** A channel may give a vendor an hour for an answer; nobody waits as long for a check. */
const CHECK_MS_MAX = 120_000;
const MODELS_MAX = 1000;
/** Of a model that no channel of the type can serve. */
const UNASKED = {
  healthy: false,
  latencyMs: null,
  httpStatus: null,
  error: 'The protocol of this channel has no embeddings.',
} as const;

/** Asks a channel for a short answer, to see whether it works. */
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
    async check(channel, credential, { kind, name }, signal) {
      const startedMs = clock.monotonicMs();
      const elapsedMs = () => Math.round(clock.monotonicMs() - startedMs);
      try {
        const probes = kind === 'chat' ? PROBE_PROTOCOLS : EMBEDDING_PROBES;
        const protocol = probes[channel.type];
        if (protocol === undefined) return UNASKED;
        const request = protocol.toRequest(channel, credential, name);
        const { status, body } = await egress.requestOnce(under(channel.baseUrl, request.path), {
          method: 'POST',
          headers: { ...request.headers, 'content-type': 'application/json' },
          body: Buffer.from(JSON.stringify(request.body)),
          timeoutMs: Math.min(channel.timeouts.totalMs || timeoutMs, CHECK_MS_MAX),
          responseBytesMax: RESPONSE_BYTES_MAX,
          ...(signal === undefined ? {} : { signal }),
        });
        const answered = { latencyMs: elapsedMs(), httpStatus: status };
        if (saysOutOfCredit(status, body)) {
          const error = `The account at the vendor is out of credit (HTTP status ${status}).`;
          return { ...answered, healthy: false, error, isOutOfCredit: true };
        }
        const error = faultOf(protocol, status, body);
        return { ...answered, healthy: error === '', error };
      } catch (error) {
        if (signal?.aborted) throw error;
        return { healthy: false, latencyMs: null, httpStatus: null, error: sentenceOf(error) };
      }
    },
    discoverModels: (...asked) => discoverModels(options, ...asked),
  };
}

async function discoverModels(
  { egress, timeoutMs }: VendorProbeOptions,
  ...[type, baseUrl, credential]: Parameters<VendorProbe['discoverModels']>
): Promise<ModelListing> {
  try {
    const protocol = PROBE_PROTOCOLS[type];
    const { headers, path } = protocol.toModelsRequest(credential);
    const { status: httpStatus, body } = await egress.requestOnce(under(baseUrl, path), {
      method: 'GET',
      headers,
      timeoutMs,
      responseBytesMax: RESPONSE_BYTES_MAX,
    });
    const list = httpStatus === 200 ? parseJson(body.toString('utf8')) : undefined;
    const listed = isObject(list) ? protocol.fromModels(list) : [];
    // A name that no channel could be made with is not told: it may be meant for a terminal.
    const models = listed.filter(({ name }) => isUpstreamName(name)).slice(0, MODELS_MAX);
    if (models.length > 0) return { models, httpStatus, error: '' };
    const error =
      httpStatus === 200
        ? 'The vendor answered with something that is not a list of models.'
        : `The vendor answered with HTTP status ${httpStatus}.`;
    return { models, httpStatus, error };
  } catch (error) {
    return { models: [], httpStatus: null, error: sentenceOf(error) };
  }
}

function under(baseUrl: string, path: string): string {
  const base = vendorBaseOf(baseUrl);
  return `${base.origin}${base.path}${path}`;
}

function sentenceOf(error: unknown): string {
  return error instanceof AppError ? error.publicMessage : 'The vendor cannot be reached.';
}

function saysOutOfCredit(status: number, body: Buffer): boolean {
  const answer = parseJson(body.toString('utf8'));
  const error = isObject(answer) && isObject(answer.error) ? answer.error : undefined;
  return isOutOfCredit(status, error);
}

/**
 * What is wrong with the answer, in our own words; empty when it is one. A proxy's welcome page and
 * a captive portal answer 200 too, so the status alone proves nothing.
 */
function faultOf(
  protocol: Pick<ProbeProtocol, 'answerName' | 'isAnswer'>,
  status: number,
  body: Buffer,
): string {
  if (status < 200 || status > 299) return `The vendor answered with HTTP status ${status}.`;
  const answer = parseJson(body.toString('utf8'));
  const failed = !isObject(answer) || (answer.error !== undefined && answer.error !== null);
  if (!failed && protocol.isAnswer(answer)) return '';
  return `The vendor answered with something that is not ${protocol.answerName}.`;
}
