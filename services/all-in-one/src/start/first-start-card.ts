import { quote } from '../quote';

/** Records that the first start of identity made, to be shown once. */
export interface ShownFirstStart {
  readonly email: string;
  readonly password?: string | undefined;
  readonly apiKey?: string | undefined;
}

export interface CardOptions {
  readonly publicUrl: string;
  readonly dataDirectory: string;
  /** The environment names it, and a command in another shell must as well. */
  readonly namesDirectory: boolean;
  /** Who answers requests; undefined where routing runs elsewhere. */
  readonly vendors: string | undefined;
  /** Of the operator that the first start made. */
  readonly operatorEmail: string;
  /** Present only at the start that made them. */
  readonly firstStart: ShownFirstStart | undefined;
}

/** As it is typed in the repository's folder: it brings its own runtime along. */
const COMMAND_LINE = 'npm start --';

/** The card that a person begins with; it has secrets at the first start only. */
export function formatCard(options: CardOptions): string {
  const { publicUrl, dataDirectory, namesDirectory, vendors, firstStart } = options;
  const rows = [
    `  API       ${publicUrl}/v1`,
    `  Console   ${publicUrl}/console/`,
    `  Data      ${dataDirectory}`,
    ...(vendors === undefined ? [] : [`  Vendor    ${vendors}`]),
  ];
  if (firstStart === undefined) {
    const where = namesDirectory ? `TOLLGATE_DATA_DIR=${quote(dataDirectory)} ` : '';
    const reset = `${where}${COMMAND_LINE} user reset-password ${quote(options.operatorEmail)}`;
    const lost = [
      `  Sign-in   lost the password? ${reset}`,
      '  API key   lost? Sign in to the console and make one (API keys)',
    ];
    return `\nTollgate is running.\n\n${[...rows, ...lost].join('\n')}\n\n`;
  }
  const { email, password, apiKey } = firstStart;
  const lines = [
    'Tollgate is running. What is secret below is shown only this once.',
    '',
    ...rows,
    `  Operator  ${email}`,
    `  Password  ${password ?? '(the one you configured)'}`,
  ];
  if (apiKey === undefined) lines.push('  API key   (make one in the console)');
  else lines.push(`  API key   ${apiKey}`, '', 'Try it:', '', formatCurl(publicUrl, apiKey));
  return `\n${lines.join('\n')}\n\n`;
}

/** The command of the README: four lines of one command, each short enough for any terminal. */
function formatCurl(publicUrl: string, apiKey: string): string {
  const body = JSON.stringify({ model: 'auto', messages: [{ role: 'user', content: 'Hello' }] });
  return [
    `curl ${publicUrl}/v1/chat/completions`,
    `  -H 'Authorization: Bearer ${apiKey}'`,
    `  -H 'Content-Type: application/json'`,
    `  -d '${body}'`,
  ].join(' \\\n');
}
