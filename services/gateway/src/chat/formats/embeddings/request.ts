import { invalidField } from '../../../http/errors';
import type { ChatRequest } from '../../request';
import { UNSAID_SAMPLING } from '../canonical';
import { fieldsOf, isAbsent, optionalInteger, requireNoOthers, requireObject } from '../fields';
import { checkModel, checkUser } from '../shared-fields';
import { EMBEDDING_BOUNDS, ENCODINGS, embeddingsRequestSchema } from './schema';

const FIELDS = fieldsOf(embeddingsRequestSchema);
const NO_BYTES = Buffer.alloc(0);

/**
 * Checks a parsed body field by field and throws VALIDATION_ERROR that names the first one at
 * fault. A vendor is not told of the encoding: its vectors are written as they were asked for.
 */
export function fromEmbeddingsBody(body: unknown): ChatRequest {
  requireObject(body);
  const model = checkModel(body.model);
  const texts = checkInput(body.input);
  const encoding = checkEncoding(body.encoding_format);
  const dimensions = optionalInteger(body, 'dimensions', 1, EMBEDDING_BOUNDS.dimensionsMax);
  const user = checkUser(body.user);
  requireNoOthers(body, FIELDS);
  return {
    model,
    fallbackModels: [],
    stream: false,
    includeUsage: false,
    media: undefined,
    messages: Buffer.from(JSON.stringify(texts)),
    messageCount: texts.length,
    parameters: {
      temperature: undefined,
      topP: undefined,
      maxTokens: undefined,
      stop: [],
      ...UNSAID_SAMPLING,
      user,
      capabilityMembers: NO_BYTES,
      requiredCapabilities: [],
      capabilityParam: '',
      cacheMarks: [],
      thinkingBudget: undefined,
    },
    embedding: { dimensions },
    echo: { encoding },
  };
}

function checkInput(value: unknown): readonly string[] {
  const texts: readonly unknown[] = Array.isArray(value) ? value : [value];
  const { inputsMax } = EMBEDDING_BOUNDS;
  const fits = texts.length >= 1 && texts.length <= inputsMax;
  if (fits && texts.every((text) => typeof text === 'string' && text !== '')) {
    return texts as readonly string[];
  }
  throw invalidField('input', `must be a text or 1 to ${inputsMax} texts, none of them empty.`);
}

function checkEncoding(value: unknown): (typeof ENCODINGS)[number] {
  if (isAbsent(value)) return 'float';
  const encoding = ENCODINGS.find((each) => each === value);
  if (encoding !== undefined) return encoding;
  throw invalidField('encoding_format', `must be ${ENCODINGS.join(' or ')}.`);
}
