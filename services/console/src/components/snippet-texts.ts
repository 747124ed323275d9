/** A completion as it is asked for. */
export interface Call {
  /** The address with the version, as client libraries take it: `https://host/v1`. */
  readonly baseUrl: string;
  /** The API key; undefined names the environment variable instead. */
  readonly key?: string | undefined;
  /** The body, in the order that it is written. */
  readonly body: Readonly<Record<string, unknown>>;
  /** Headers besides those of every call. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** A value up to here stays on one line; a phone shows no more of it. */
const LINE_MAX = 38;
const KEY_VARIABLE = 'TOLLGATE_API_KEY';

/** A call in each language that is offered. */
export const SNIPPETS = [
  { language: 'curl', write: writeCurl },
  { language: 'Python', write: writePython },
  { language: 'JavaScript', write: writeJavaScript },
] as const;

/** The first call that a page shows. */
export function firstCall(key?: string): Call {
  return {
    baseUrl: `${window.location.origin}/v1`,
    key,
    body: { model: 'auto', messages: [{ role: 'user', content: 'Hello' }] },
  };
}

export function writeCurl({ baseUrl, key, body, headers = {} }: Call): string {
  // Within single quotes a shell escapes nothing: they end, a quote follows, and they begin again.
  const json = layOut(body, JSON_WORDS).replaceAll("'", "'\\''");
  return [
    `curl ${baseUrl}/chat/completions \\`,
    `  -H "Authorization: Bearer ${key ?? `$${KEY_VARIABLE}`}" \\`,
    `  -H 'Content-Type: application/json' \\`,
    ...Object.entries(headers).map(([name, value]) => `  -H '${name}: ${value}' \\`),
    `  -d '${json}'`,
  ].join('\n');
}

export function writePython({ baseUrl, key, body, headers }: Call): string {
  const isStream = body.stream === true;
  return [
    'import os',
    'from openai import OpenAI',
    '',
    'client = OpenAI(',
    `    base_url=${JSON.stringify(baseUrl)},`,
    `    api_key=${key === undefined ? `os.environ["${KEY_VARIABLE}"]` : JSON.stringify(key)},`,
    ')',
    `${isStream ? 'stream' : 'answer'} = client.chat.completions.create(`,
    ...Object.entries(body).map(
      ([name, value]) => `    ${name}=${layOut(value, PYTHON_WORDS, '    ')},`,
    ),
    ...(headers === undefined
      ? []
      : [`    extra_headers=${layOut(headers, PYTHON_WORDS, '    ')},`]),
    ')',
    ...(isStream
      ? [
          'for chunk in stream:',
          '    if chunk.choices:',
          '        print(chunk.choices[0].delta.content or "", end="")',
        ]
      : ['print(answer.choices[0].message.content)']),
  ].join('\n');
}

export function writeJavaScript({ baseUrl, key, body, headers }: Call): string {
  const isStream = body.stream === true;
  const given = layOut(body, JAVASCRIPT_WORDS);
  const options =
    headers === undefined ? '' : `, { headers: ${layOut(headers, JAVASCRIPT_WORDS)} }`;
  return [
    "import OpenAI from 'openai';",
    '',
    'const client = new OpenAI({',
    `  baseURL: ${JSON.stringify(baseUrl)},`,
    `  apiKey: ${key === undefined ? `process.env.${KEY_VARIABLE}` : JSON.stringify(key)},`,
    '});',
    `const ${isStream ? 'stream' : 'answer'} = await client.chat.completions.create(${given}${options});`,
    ...(isStream
      ? [
          'for await (const chunk of stream) {',
          "  process.stdout.write(chunk.choices[0]?.delta.content ?? '');",
          '}',
        ]
      : ['console.log(answer.choices[0].message.content);']),
  ].join('\n');
}

/** The parts of a value that languages write otherwise than JSON does. */
interface Words {
  readonly literals: readonly [isTrue: string, isFalse: string, isNull: string];
  /** How the name of a field is written. */
  readonly name: (name: string) => string;
  /** Stands inside the braces of an object on one line. */
  readonly space: string;
}

const JSON_WORDS: Words = {
  literals: ['true', 'false', 'null'],
  name: (name) => JSON.stringify(name),
  space: '',
};
const PYTHON_WORDS: Words = { ...JSON_WORDS, literals: ['True', 'False', 'None'] };
const JAVASCRIPT_WORDS: Words = {
  ...JSON_WORDS,
  name: (name) => (/^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name)),
  space: ' ',
};

/** A value of JSON, with a line for each entry of what is too long for one. */
function layOut(value: unknown, words: Words, indent = '', before = ''): string {
  const line = writeLine(value, words);
  const isWhole = typeof value !== 'object' || value === null;
  if (isWhole || indent.length + before.length + line.length <= LINE_MAX) return before + line;
  const inner = `${indent}  `;
  const entries = entriesOf(value, words).map(
    ([name, entry]) => inner + layOut(entry, words, inner, name),
  );
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  return `${before}${open}\n${entries.join(',\n')}\n${indent}${close}`;
}

function writeLine(value: unknown, words: Words): string {
  const [isTrue, isFalse, isNull] = words.literals;
  if (value === true) return isTrue;
  if (value === false) return isFalse;
  if (value === null) return isNull;
  if (typeof value !== 'object') return JSON.stringify(value);
  const entries = entriesOf(value, words).map(([name, entry]) => name + writeLine(entry, words));
  if (Array.isArray(value)) return `[${entries.join(', ')}]`;
  const space = entries.length === 0 ? '' : words.space;
  return `{${space}${entries.join(', ')}${space}}`;
}

/** Entries with what stands before them: nothing in an array. */
function entriesOf(value: object, words: Words): readonly (readonly [string, unknown])[] {
  if (Array.isArray(value)) return value.map((entry) => ['', entry] as const);
  return Object.entries(value).map(([name, entry]) => [`${words.name(name)}: `, entry] as const);
}

/** The request that a form sends, as a command for a shell. */
export function writeApiCall(method: string, url: string, body: unknown): string {
  // What is not a number yet would be written as null, which means something to the API.
  const json = JSON.stringify(body, (_, value) => (Number.isNaN(value) ? undefined : value), 2);
  return [
    `curl -X ${method} ${url} \\`,
    '  -H "Authorization: Bearer $TOLLGATE_API_KEY" \\',
    "  -H 'Content-Type: application/json' \\",
    `  -d '${json.replaceAll("'", "'\\''")}'`,
  ].join('\n');
}
