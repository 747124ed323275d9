import { toCode, toPage, toTable } from './markdown';
import type { ReadSetting } from './read-settings';

/** The sources of the page. */
export interface ConfigurationReference {
  readonly variables: readonly ReadSetting[];
  /** Values that TARGET=all sets when the operator has not, by name. */
  readonly embedded: Readonly<Record<string, string>>;
  /** Prefix of paths that differ from machine to machine. */
  readonly root: string;
}

/** The reader that is part of every process. */
export const EVERY_PROCESS = 'every process';

/**
 * Names that will not change, first the ones that a first start meets. A star stands for every
 * ending.
 */
const FIXED_NAMES: readonly string[] = [
  'TARGET',
  'TOLLGATE_HTTP_PORT',
  'TOLLGATE_ADMIN_PORT',
  'TOLLGATE_BIND',
  'TOLLGATE_TRUSTED_PROXIES',
  'TOLLGATE_TLS_*',
  'TOLLGATE_DATA_DIR',
  'MONGODB_URI',
  'KAFKA_BROKERS',
  'REDIS_URL',
  'TOLLGATE_CURRENCY',
  'TOLLGATE_INIT_OPERATOR_*',
  'TOLLGATE_INIT_CHANNEL_*',
  'TOLLGATE_INIT_CREDIT',
  'TOLLGATE_INIT_PLAN',
  'TOLLGATE_SEALING_KEYS',
  'TOLLGATE_KEY_PEPPERS',
  'TOLLGATE_LEGACY_SUNSET',
  'TOLLGATE_EGRESS_ALLOWED_HOSTS',
  'TOLLGATE_REGISTRATION',
  'TOLLGATE_CORS_ORIGINS',
  'COMPLETION_ADDRESS',
  'IDENTITY_ADDRESS',
  'ROUTING_ADDRESS',
  'BILLING_ADDRESS',
  'WEBHOOK_ADDRESS',
  'STATS_ADDRESS',
  'CONSOLE_ADDRESS',
  'LOG_LEVEL',
  'OTEL_*',
];

const INTRODUCTION = `
All configuration is environment variables, read once at start. An empty variable counts as
absent. Every problem is reported in one message before anything is opened; \`--validate\`
reports them and starts nothing, \`--print-config\` shows every value and where it comes from,
with secrets masked.

- A **secret** may also come from the file that \`<NAME>_FILE\` names; both forms at once are an
  error.
- An unknown \`TOLLGATE_*\` name is most likely a typing error: it warns, and \`--validate\`
  fails. Names that Kubernetes makes for a Service, such as \`TOLLGATE_PORT=tcp://...\`, are
  ignored.
- \`TARGET=all\`, the default, sets some variables itself unless they are given; the column
  "default" says so.
`;

const COLUMNS = ['name', 'type', 'allowed', 'default', 'read by', 'meaning'];

/** The page of every variable, each of them in exactly one table. */
export function renderConfigurationPage(reference: ConfigurationReference): string {
  const table = (variables: readonly ReadSetting[]) =>
    toTable(
      COLUMNS,
      variables.map((variable) => toRow(variable, reference)),
    );
  const sections = groupVariables(reference.variables);
  return toPage('Configuration', [
    INTRODUCTION,
    ...sections.flatMap(({ title, variables }) => [`## ${title}`, table(variables)]),
  ]);
}

interface Section {
  readonly title: string;
  readonly variables: readonly ReadSetting[];
}

function groupVariables(all: readonly ReadSetting[]): readonly Section[] {
  const fixed = FIXED_NAMES.flatMap((name) => findAll(all, name));
  const others = all.filter((variable) => !fixed.includes(variable));
  const titleOf = ({ readers }: ReadSetting) =>
    readers.length > 1 && !readers.includes(EVERY_PROCESS) ? 'several services' : readers[0];
  // Every process and what several read come first, then one section for each service.
  const titles = new Set([EVERY_PROCESS, 'several services', ...others.map(titleOf)]);
  const rest = [...titles].map((title) => ({
    title: title === undefined ? '' : capitalise(title),
    variables: others.filter((variable) => titleOf(variable) === title),
  }));
  const sections = [{ title: 'Names that stay', variables: fixed }, ...rest];
  return sections.filter(({ variables }) => variables.length > 0);
}

/** The variables that a fixed name means; throws when there is none, because then it is not fixed. */
function findAll(all: readonly ReadSetting[], name: string): readonly ReadSetting[] {
  const prefix = name.endsWith('*') ? name.slice(0, -1) : undefined;
  const found = all.filter((variable) =>
    prefix === undefined ? variable.name === name : variable.name.startsWith(prefix),
  );
  if (found.length === 0) throw new Error(`nothing reads ${name}, whose name is fixed`);
  return found;
}

function capitalise(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

function toRow(variable: ReadSetting, reference: ConfigurationReference) {
  const { name, kind, accepts, unit, secret, alternatives, description, readers } = variable;
  const names = [name, ...alternatives].map(toCode).join(' or ');
  return [
    names,
    secret && kind !== 'secret' ? `${kind}, secret` : kind,
    [accepts, unit].filter((part) => part !== undefined).join(', '),
    describeDefault(variable, reference),
    readers.includes(EVERY_PROCESS) ? EVERY_PROCESS : readers.join(', '),
    description,
  ];
}

function describeDefault(variable: ReadSetting, { embedded, root }: ConfigurationReference) {
  const own = variable.required
    ? 'required'
    : variable.default === undefined || variable.default === ''
      ? 'none'
      : toCode(variable.default.replace(`${root}/`, ''));
  const brought = embedded[variable.name];
  return brought === undefined ? own : `${own}; \`TARGET=all\`: ${brought}`;
}
