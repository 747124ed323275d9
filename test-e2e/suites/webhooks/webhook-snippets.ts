import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { REPOSITORY } from '../../support/repository';
import type { ReceivedDelivery } from '../../support/webhook-receiver';

/** What turns a snippet into a program that prints true or false for a delivery on stdin. */
interface SnippetRunner {
  /** Whether the language is on this machine. */
  readonly present: boolean;
  readonly file: string;
  readonly program: (snippet: string) => string;
  readonly command: readonly [string, ...string[]];
}

const isPresent = (program: string, flag: string) => spawnSync(program, [flag]).status === 0;

/** By language as docs/guide/webhooks.md names it. */
export const SNIPPET_RUNNERS: Readonly<Record<string, SnippetRunner>> = {
  js: {
    present: true,
    file: 'verify.mjs',
    command: [process.execPath],
    program: (snippet) => `${snippet}
import { readFileSync } from 'node:fs';
const { secret, headers, text } = JSON.parse(readFileSync(0, 'utf8'));
console.log(isFromTollgate(secret, headers, Buffer.from(text)));
`,
  },
  python: {
    present: isPresent('python3', '--version'),
    file: 'verify.py',
    command: ['python3'],
    program: (snippet) => `${snippet}
import json, sys

given = json.load(sys.stdin)
answer = is_from_tollgate(given["secret"], given["headers"], given["text"].encode())
print(str(answer).lower())
`,
  },
  go: {
    present: isPresent('go', 'version'),
    file: 'verify.go',
    command: ['go', 'run'],
    program: (snippet) =>
      `${snippet.replace('package webhooks', 'package main').replace('import (', 'import (\n\t"encoding/json"\n\t"fmt"\n\t"os"')}
func main() {
	var given struct {
		Secret, Text string
		Headers      map[string]string
	}
	if err := json.NewDecoder(os.Stdin).Decode(&given); err != nil {
		panic(err)
	}
	header := http.Header{}
	for name, value := range given.Headers {
		header.Set(name, value)
	}
	fmt.Println(IsFromTollgate(given.Secret, header, []byte(given.Text)))
}
`,
  },
  ruby: {
    present: isPresent('ruby', '--version'),
    file: 'verify.rb',
    command: ['ruby'],
    program: (snippet) => `${snippet}
require "json"
given = JSON.parse($stdin.read)
puts from_tollgate?(given["secret"], given["headers"], given["text"])
`,
  },
};

/** Whether the documented snippet takes the delivery for one of ours. `folder` is a temporary one. */
export function isVerifiedBySnippet(
  language: string,
  folder: string,
  secret: string,
  { headers, text }: Pick<ReceivedDelivery, 'headers' | 'text'>,
): boolean {
  const runner = SNIPPET_RUNNERS[language];
  if (runner === undefined) throw new Error(`nothing runs ${language}`);
  const path = join(folder, runner.file);
  writeFileSync(path, runner.program(readSnippet(language)));
  const [program, ...args] = runner.command;
  const result = spawnSync(program, [...args, path], {
    input: JSON.stringify({ secret, headers, text }),
    encoding: 'utf8',
  });
  if (result.status !== 0) throw new Error(result.stderr);
  return result.stdout.trim() === 'true';
}

/** Of several snippets in a language the one that reads the signature's header. */
function readSnippet(language: string): string {
  const page = readFileSync(join(REPOSITORY, 'docs/guide/webhooks.md'), 'utf8');
  const snippets = page.split('```').filter((part) => part.startsWith(`${language}\n`));
  const found = snippets.find((part) => part.includes('webhook-signature'));
  if (found === undefined) throw new Error(`docs/guide/webhooks.md has no snippet in ${language}`);
  return found.slice(language.length + 1);
}
