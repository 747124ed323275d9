/** Also behind the name of who made the model, as some vendors list it: `openai/o3`. */
const NAME = /(?:^|\/)(?:o\d|gpt-[5-9])/;
/** Declared by the operator of a channel whose names say nothing. */
const CAPABILITY = 'max_completion_tokens';

/**
 * Whether the model of a channel of OpenAI's protocol refuses `max_tokens` and wants
 * `max_completion_tokens`: what it thinks counts too. The name is the vendor's.
 */
export function refusesMaxTokens(
  { capabilities }: { readonly capabilities: readonly string[] },
  upstreamName: string,
): boolean {
  return NAME.test(upstreamName) || capabilities.includes(CAPABILITY);
}
