/** A message of a conversation, as the gateway wrote it. */
type Message = Readonly<Record<string, unknown>>;

/** Within a text the quotes are escaped, so that only the member itself is found. */
const THOUGHTS = Buffer.from('"thinking_blocks":');

/** What was written of the messages of requests that run, for bodies that hold it anyway. */
const written = new WeakMap<Buffer, Buffer>();

/**
 * Canonical messages without the thoughts of earlier answers, for a vendor that does not take them;
 * the same bytes when there are none. `retell` returns the members that stand for those of a message.
 */
export function withoutThoughts(messages: Buffer, retell?: (message: Message) => Message): Buffer {
  if (retell !== undefined) return writeWithout(messages, retell);
  return written.get(messages) ?? writeWithout(messages, () => ({}));
}

/** The same for the body of a call, remembered as long as the messages: a count takes it from here. */
export function bodyWithoutThoughts(messages: Buffer): Buffer {
  const body = withoutThoughts(messages);
  written.set(messages, body);
  return body;
}

function writeWithout(messages: Buffer, retell: (message: Message) => Message): Buffer {
  if (!messages.includes(THOUGHTS)) return messages;
  const parsed = JSON.parse(messages.toString()) as readonly Message[];
  const retold = parsed.map((message) => {
    const { thinking_blocks: thoughts, ...others } = message;
    return thoughts === undefined ? message : { ...others, ...retell(message) };
  });
  return Buffer.from(JSON.stringify(retold));
}

/** Declared for models that refuse a history of tools without what they thought before each call. */
const TAKES_THOUGHTS = 'reasoning_content';

/** True when the channel's vendor gets earlier thoughts as text, so that they count in its prompt. */
export function takesThoughts({ capabilities }: { readonly capabilities: readonly string[] }) {
  return capabilities.includes(TAKES_THOUGHTS);
}
