import { CHANNEL_TYPES, type ChannelType } from '@tollgate/core';
import { exampleCall } from '../../../../services/completion/src/testing/vendor-call';
import { anthropicProtocol } from '../../../../services/completion/src/vendors/anthropic/index';
import { geminiProtocol } from '../../../../services/completion/src/vendors/gemini/index';
import {
  openaiEmbeddings,
  openaiProtocol,
} from '../../../../services/completion/src/vendors/openai/index';
import { requestHeaders } from '../../../../services/completion/src/vendors/protocol/vendor-protocol';
import {
  EMBEDDING_PROBES,
  PROBE_PROTOCOLS,
} from '../../../../services/routing/src/clients/probe-protocols';

const CALLS = {
  openai: openaiProtocol,
  anthropic: anthropicProtocol,
  gemini: geminiProtocol,
  simulator: openaiProtocol,
};
const PATH = 'https://vendor.example/openai';
const BASE_URLS = [
  PATH,
  `${PATH}/?api-version=2024-10-21`,
  `${PATH}?api-version=`,
  `${PATH}?api-version=2024-10-21%2Dpreview`,
  `${PATH}?tenant=one`,
];
const NAMES = ['small', 'my deployment', 'tunedModels/my model'];
const CREDENTIALS = ['a credential of a test', ''];

const cases = CHANNEL_TYPES.flatMap((type) =>
  BASE_URLS.flatMap((baseUrl) => NAMES.map((name) => ({ type, baseUrl, name }))),
);

function callOf(type: ChannelType, baseUrl: string, credential: string, upstreamName: string) {
  const { candidate } = exampleCall();
  const channel = { ...candidate.channel, type, baseUrl, credential };
  const messages = Buffer.from('[{"role":"user","content":"ping"}]');
  return exampleCall({ candidate: { ...candidate, channel, upstreamName }, messages });
}

/** Where a call goes, and the headers of it that are not in every call. */
function targetOf(
  { buildRequest }: Pick<typeof openaiProtocol, 'buildRequest'>,
  call: ReturnType<typeof exampleCall>,
) {
  const { headers, path } = buildRequest(call);
  const common = requestHeaders(call, {});
  const own = Object.entries(headers).filter(([name]) => !(name in common));
  return { path, headers: Object.fromEntries(own) };
}

test.each(cases)('a check of $type at $baseUrl asks for $name as a call does', (asked) => {
  const { baseUrl, name, type } = asked;
  for (const credential of CREDENTIALS) {
    const call = callOf(type, baseUrl, credential, name);
    const { body: _, ...check } = PROBE_PROTOCOLS[type].toRequest(
      call.candidate.channel,
      credential,
      name,
    );
    expect(check).toEqual(targetOf(CALLS[type], call));
  }
});

// One embedding and several have methods of their own at Gemini.
test.each(BASE_URLS)('a check of an embedding at %s goes where a call goes', (baseUrl) => {
  const call = callOf('openai', baseUrl, 'a credential of a test', 'small');
  const { channel } = call.candidate;
  const check = EMBEDDING_PROBES.openai?.toRequest(channel, channel.credential, 'small');
  expect(check).toMatchObject(targetOf(openaiEmbeddings, call));
});
