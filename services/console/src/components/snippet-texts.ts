/** A completion as it is asked for. */
export interface Call {
  /** With the version, as client libraries take it: `https://host/v1`. */
  readonly baseUrl: string;
  /** Undefined names the environment variable instead. */
  readonly key?: string | undefined;
  /** The body, in the order that it is written. */
  readonly body: Readonly<Record<string, unknown>>;
  /** Besides those of every call. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** A body up to here stays on one line of a shell command. */
const LINE_MAX = 90;
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
  // Single quotes end in a shell before a quote inside can be written.
  const line = JSON.stringify(body);
  const text = line.length <= LINE_MAX ? line : JSON.stringify(body, null, 2);
  const json = text.replaceAll("'", "'\\''");
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
    ...Object.entries(body).map(([name, value]) => `    ${name}=${toPython(value)},`),
    ...(headers === undefined ? [] : [`    extra_headers=${toPython(headers)},`]),
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
  const given = JSON.stringify(body, null, 2).replaceAll(/^(\s*)"(\w+)":/gm, '$1$2:');
  const options = headers === undefined ? '' : `, { headers: ${JSON.stringify(headers)} }`;
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

/** JSON and Python differ in three words only. */
function toPython(value: unknown): string {
  if (value === true) return 'True';
  if (value === false) return 'False';
  if (value === null) return 'None';
  if (Array.isArray(value)) return `[${value.map(toPython).join(', ')}]`;
  if (typeof value === 'object') {
    const members = Object.entries(value).map(
      ([name, member]) => `${JSON.stringify(name)}: ${toPython(member)}`,
    );
    return `{${members.join(', ')}}`;
  }
  return JSON.stringify(value);
}
