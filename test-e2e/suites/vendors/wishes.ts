import { CLIENT_FORMATS, type Kind } from '../../support/vendors/format-requests';

/** What a request may ask for besides a text, in the members of each format. */
interface Wish {
  /** As the document names it. */
  readonly name: string;
  /** The request that has it; text unless it is said. */
  readonly kind?: Kind;
  readonly chat: object;
  readonly Messages: object;
  readonly Responses: object;
}

/** A member that is the same in every format that has it; the others refuse it by its name. */
function everywhere(name: string, members: object): Wish {
  return { name, chat: members, Messages: members, Responses: members };
}

function effort(value: string): Wish {
  return {
    name: `an effort of \`${value}\``,
    chat: { reasoning_effort: value },
    Messages: { output_config: { effort: value } },
    Responses: { reasoning: { effort: value } },
  };
}

const JSON_FORMAT = { type: 'json_object' };
/** No ending says which kind of image it is. */
const IMAGE_URL = 'https://pictures.example/town';

function askOf(part: object) {
  return [{ role: 'user', content: [part] }];
}

/** Everything that some format or some protocol has no word for. */
const LIST: readonly Wish[] = [
  everywhere('`n` above 1', { n: 2 }),
  everywhere('`temperature` above 1', { temperature: 1.5 }),
  everywhere('`top_p` beside `temperature`', { temperature: 0.5, top_p: 0.5 }),
  everywhere('`stop`', { stop: ['END'] }),
  everywhere('`stop_sequences`', { stop_sequences: ['END'] }),
  everywhere('`seed`', { seed: 7 }),
  everywhere('`presence_penalty`', { presence_penalty: 1 }),
  everywhere('`frequency_penalty`', { frequency_penalty: 1 }),
  everywhere('`logprobs`', { logprobs: true }),
  everywhere('`logit_bias`', { logit_bias: { 5: 1 } }),
  everywhere('`top_k`', { top_k: 5 }),
  everywhere('`thinking`', { thinking: { type: 'adaptive' } }),
  everywhere('`thinking` that is not shown', {
    thinking: { type: 'adaptive', display: 'omitted' },
  }),
  everywhere('`store: true`', { store: true }),
  ...['none', 'minimal', 'low', 'xhigh'].map(effort),
  {
    name: 'any JSON as an answer',
    chat: { response_format: JSON_FORMAT },
    Messages: { output_config: { format: JSON_FORMAT } },
    Responses: { text: { format: JSON_FORMAT } },
  },
  {
    name: 'one tool at a time',
    kind: 'tools',
    chat: { parallel_tool_calls: false },
    Messages: { tool_choice: { type: 'auto', disable_parallel_tool_use: true } },
    Responses: { parallel_tool_calls: false },
  },
  {
    name: 'an image by an address without an ending',
    chat: { messages: askOf({ type: 'image_url', image_url: { url: IMAGE_URL } }) },
    Messages: { messages: askOf({ type: 'image', source: { type: 'url', url: IMAGE_URL } }) },
    Responses: { input: askOf({ type: 'input_image', image_url: IMAGE_URL }) },
  },
];

/** Each wish by its name, with the body that has it in a format. */
export const WISHES = LIST.map(({ name, kind = 'text', ...members }) => ({
  name,
  bodyIn(format: string, model: string): object {
    const own = format === 'Messages' || format === 'Responses' ? members[format] : members.chat;
    return { ...CLIENT_FORMATS[format]?.body(model, kind, false), ...own };
  },
}));
