import { formatAmount, type Nano, nano, parseAmount, ZERO_NANO } from '@tollgate/core';
import { z } from 'zod';
import {
  createSetting,
  type DeclaredValue,
  type GivenValue,
  MASK,
  type Setting,
  type SettingOptions,
} from './setting';

/** Length and form of a text value. */
export interface TextOptions extends SettingOptions<string> {
  readonly pattern?: RegExp;
  /** The pattern in words. */
  readonly patternMeaning?: string;
  readonly minLength?: number;
}

/** Bounds are inclusive. */
export interface NumberOptions extends SettingOptions<number> {
  readonly min: number;
  readonly max: number;
  /** A word that may be written for `min`. */
  readonly minWord?: string;
}

/** The default is a decimal string, `'10.00'`. */
export interface AmountOptions extends Omit<SettingOptions<Nano>, 'default'> {
  readonly default?: string;
}

/** One of a closed set. */
export interface ChoiceOptions<C extends string> extends SettingOptions<C> {
  readonly choices: readonly C[];
}

/** A comma list of texts; blanks around items are dropped. */
export interface ListOptions extends SettingOptions<readonly string[]> {
  readonly itemPattern?: RegExp;
  readonly itemMeaning?: string;
  readonly itemsMax?: number;
}

/** An absolute URL. */
export interface UrlOptions extends SettingOptions<string> {
  /** Schemes without the colon; http and https when absent. */
  readonly schemes?: readonly string[];
  /** For URLs that may carry a password: readable from a file, user and password masked. */
  readonly credentials?: boolean;
  /** It may name several hosts, as the drivers of MongoDB read it: the rest is theirs to check. */
  readonly severalHosts?: boolean;
}

/** A comma list whose items are read by a function. */
export interface ParsedListOptions<T> extends SettingOptions<readonly T[]> {
  readonly secret?: boolean;
  /** The form of one item, in words. */
  readonly itemMeaning: string;
  /** undefined when the text is no item. */
  readonly parseItem: (text: string) => T | undefined;
  readonly printItem: (item: T) => string;
}

const TEXT_LENGTH_MAX = 4_096;
const SECRET_LENGTH_MAX = 65_536;
/** 9,000,000,000.00. */
const AMOUNT_MAX = nano(9n * 10n ** 18n);
const LIST_ITEMS_MAX = 1_000;

export function text<const O extends TextOptions>(
  name: string,
  options: O,
): Setting<DeclaredValue<string, O>> {
  return textSetting(name, options, false);
}

/** A text that is never printed and may come from the file named by `<NAME>_FILE`. */
export function secret<const O extends TextOptions>(
  name: string,
  options: O,
): Setting<DeclaredValue<string, O>> {
  return textSetting(name, options, true);
}

function textSetting<const O extends TextOptions>(
  name: string,
  options: O,
  isSecret: boolean,
): Setting<DeclaredValue<string, O>> {
  const minLength = options.minLength ?? 1;
  const lengthMax = isSecret ? SECRET_LENGTH_MAX : TEXT_LENGTH_MAX;
  const meaning = options.patternMeaning ?? `text that matches ${String(options.pattern)}`;
  let schema = z
    .string()
    .min(minLength, `must be at least ${minLength} characters`)
    .max(lengthMax, `must be at most ${lengthMax} characters`);
  if (options.pattern !== undefined) schema = schema.regex(options.pattern, `must be ${meaning}`);
  const length = minLength > 1 ? `at least ${minLength} characters` : undefined;
  return createSetting<string, O>(name, options, {
    kind: isSecret ? 'secret' : 'text',
    schema,
    accepts: options.pattern === undefined ? length : meaning,
    secret: isSecret,
  });
}

export function integer<const O extends NumberOptions>(
  name: string,
  options: O,
): Setting<DeclaredValue<number, O>> {
  return numberSetting(name, options, 'integer', options);
}

/** A TCP port; 0 lets the system choose one. */
export function port<const O extends SettingOptions<number>>(
  name: string,
  options: O,
): Setting<DeclaredValue<number, O>> {
  return numberSetting(name, options, 'port', { min: 0, max: 65_535 });
}

function numberSetting<const O extends SettingOptions<number>>(
  name: string,
  options: O,
  kind: 'integer' | 'port',
  { min, max, minWord }: Pick<NumberOptions, 'min' | 'max' | 'minWord'>,
): Setting<DeclaredValue<number, O>> {
  const range = `from ${min} to ${max}${minWord === undefined ? '' : `, or ${minWord}`}`;
  const problem = `must be a whole number ${range}`;
  const schema = z
    .string()
    .transform((text) => (text === minWord ? String(min) : text))
    .pipe(z.string().regex(/^-?\d+$/, problem))
    .transform(Number)
    .pipe(z.number(problem).min(min, problem).max(max, problem));
  return createSetting<number, O>(name, options, { kind, schema, accepts: range });
}

/** Money as a decimal string; the value is in nano-units. */
export function amount<const O extends AmountOptions>(
  name: string,
  options: O,
): Setting<DeclaredValue<Nano, O>> {
  const range = `from ${formatAmount(ZERO_NANO)} to ${formatAmount(AMOUNT_MAX)}`;
  const problem = `must be an amount such as 10.00, ${range}`;
  const schema = z.string().transform((raw, context): Nano => {
    const value = parseAmount(raw);
    if (value !== undefined && value >= 0n && value <= AMOUNT_MAX) return value;
    context.addIssue(problem);
    return z.NEVER;
  });
  const { default: defaultText, ...rest } = options as AmountOptions;
  const defaultValue = defaultText === undefined ? undefined : parseAmount(defaultText);
  const setting = createSetting(
    name,
    defaultValue === undefined ? rest : { ...rest, default: defaultValue },
    { kind: 'amount', schema, accepts: range, print: formatAmount },
  );
  return setting as Setting<DeclaredValue<Nano, O>>;
}

/** true, 1, yes, on; false, 0, no, off. */
export function flag<const O extends SettingOptions<boolean>>(
  name: string,
  options: O,
): Setting<DeclaredValue<boolean, O>> {
  return createSetting<boolean, O>(name, options, {
    kind: 'flag',
    schema: z.stringbool({ error: 'must be true or false' }),
    accepts: 'true or false',
  });
}

export function choice<const C extends string, const O extends ChoiceOptions<C>>(
  name: string,
  options: O & ChoiceOptions<C>,
): Setting<DeclaredValue<C, O>> {
  const choices: readonly C[] = options.choices;
  const accepts = `one of ${choices.join(', ')}`;
  return createSetting<C, O>(name, options, {
    kind: 'choice',
    schema: z.literal([...choices], { error: `must be ${accepts}` }),
    accepts,
  });
}

export function list<const O extends ListOptions>(
  name: string,
  options: O,
): Setting<DeclaredValue<readonly string[], O>> {
  const { itemPattern, itemMeaning }: ListOptions = options;
  const itemsMax = options.itemsMax ?? LIST_ITEMS_MAX;
  const meaning = itemMeaning ?? 'texts';
  const schema = z
    .string()
    .transform(splitList)
    .refine((items) => items.length <= itemsMax, `must have at most ${itemsMax} items`)
    .refine(
      (items) => itemPattern === undefined || items.every((item) => itemPattern.test(item)),
      `must be a comma list of ${meaning}`,
    );
  return createSetting<readonly string[], O>(name, options, {
    kind: 'list',
    schema,
    accepts: `comma list of ${meaning}, at most ${itemsMax}`,
    print: (items) => items.join(','),
  });
}

/** A comma list whose items have a form of their own, for example `id:secret`. */
export function parsedList<T, const O extends ParsedListOptions<T>>(
  name: string,
  options: O & ParsedListOptions<T>,
): Setting<DeclaredValue<readonly T[], O>> {
  const problem = `must be a comma list of ${options.itemMeaning}`;
  const schema = z.string().transform((raw, context): readonly T[] => {
    const items = splitList(raw).map((item) => options.parseItem(item));
    const values = items.filter((item) => item !== undefined);
    if (values.length === items.length && values.length > 0) return values;
    context.addIssue(problem);
    return z.NEVER;
  });
  return createSetting<readonly T[], O>(name, options, {
    kind: 'list',
    schema,
    accepts: `comma list of ${options.itemMeaning}`,
    secret: options.secret ?? false,
    print: (items) => items.map((item) => options.printItem(item)).join(','),
  });
}

export function url<const O extends UrlOptions>(
  name: string,
  options: O,
): Setting<DeclaredValue<string, O>> {
  const schemes = options.schemes ?? ['http', 'https'];
  const accepts = `absolute URL, scheme ${schemes.join(' or ')}`;
  const isUrl = (raw: string) => options.severalHosts === true || URL.canParse(raw);
  const schema = z.string().refine((raw) => {
    const scheme = schemes.find((each) => raw.startsWith(`${each}://`));
    return scheme !== undefined && raw.length > `${scheme}://`.length && isUrl(raw);
  }, `must be an ${accepts}`);
  return createSetting<string, O>(name, options, {
    kind: 'url',
    schema,
    accepts,
    secret: options.credentials ?? false,
    print: maskUrlCredentials,
  });
}

/** Up to the last `@`: a password that is not percent-encoded may hold one, or a slash. */
function maskUrlCredentials(raw: string): string {
  return raw.replace(/:\/\/.*@/s, `://${MASK}@`);
}

function splitList(raw: string): readonly string[] {
  return raw
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}

/** The optional setting, whose value says as well which of its variables gave it. */
export function withVariable<T>(
  setting: Setting<T | undefined>,
): Setting<GivenValue<T> | undefined> {
  return {
    ...setting,
    defaultValue: undefined,
    read(text, variable) {
      const result = setting.read(text, variable);
      // A text that was given is never read as undefined.
      return result.ok ? { ok: true, value: { value: result.value as T, variable } } : result;
    },
    print: (given) => setting.print(given?.value),
  };
}
