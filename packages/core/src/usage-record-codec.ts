import {
  type NumberedRecord,
  USAGE_RECORD_PLACE,
  type UsageField,
  WHOLE_RECORD,
} from './usage-record';

/** How usage records are written somewhere outside: in events, in messages, in documents. */
export interface UsageRecordForm {
  nameOf(field: string): string;
  /** A present value; undefined leaves the field out. */
  write(value: unknown, field: UsageField): unknown;
  /** The value that stands for an absent one; undefined leaves the field out. */
  readonly absent: null | undefined;
  /** A value as it was written; null and undefined are absent already. */
  read(value: unknown, field: UsageField): unknown;
}

/** What a record has, by the names of its fields. */
export type FieldValues = Readonly<Record<string, unknown>>;

/** Reads and writes records of one form. */
export interface UsageRecordCodec {
  /** The record without its kind. */
  write(record: NumberedRecord): FieldValues;
  /** The record that was written. What it says has been checked. */
  read(kind: 'usage' | 'close', written: object): NumberedRecord;
}

export function createUsageRecordCodec(form: UsageRecordForm): UsageRecordCodec {
  const whole = WHOLE_RECORD.map(([name, field]) => ({
    name,
    field,
    writtenName: form.nameOf(field.writtenAs ?? name),
  }));
  const place = whole.filter(({ name }) => Object.hasOwn(USAGE_RECORD_PLACE, name));
  const forms = {
    usage: { fields: whole, ...blanksOf(whole, form.absent) },
    close: { fields: place, ...blanksOf(place, form.absent) },
  };
  return {
    write(record) {
      // Read by the names of the table, which has every field of the interface.
      const values = record as unknown as FieldValues;
      const { fields, written: blank } = forms[record.kind];
      const written: Record<string, unknown> = { ...blank };
      for (const { name, field, writtenName } of fields) {
        const value = values[name];
        const absent = field.rare === true ? undefined : form.absent;
        const out = value === undefined ? absent : form.write(value, field);
        if (out !== undefined) written[writtenName] = out;
      }
      return written;
    },
    read(kind, written) {
      const values = written as FieldValues;
      const { fields, record: blank } = forms[kind];
      const record: Record<string, unknown> = { ...blank, kind };
      for (const { name, field, writtenName } of fields) {
        const value = values[writtenName];
        if (value !== undefined && value !== null) record[name] = form.read(value, field);
      }
      // The table gives both the fields and the type.
      return record as unknown as NumberedRecord;
    },
  };
}

/**
 * A record and its written form with nothing in them. Copies of one that has all fields share a
 * layout: reading or writing them takes half the time of an object whose fields were added by name.
 */
function blanksOf(
  fields: readonly {
    readonly name: string;
    readonly writtenName: string;
    readonly field: UsageField;
  }[],
  absent: null | undefined,
): { readonly record: FieldValues; readonly written: FieldValues } {
  const blank = (names: readonly string[]) =>
    JSON.parse(JSON.stringify(Object.fromEntries(names.map((name) => [name, null])))) as Record<
      string,
      unknown
    >;
  const record = blank(['kind', ...fields.map(({ name }) => name)]);
  for (const { name } of fields) record[name] = undefined;
  // A form that leaves out what is absent has a layout for each record.
  const usual = fields.filter(({ field }) => field.rare !== true);
  return {
    record,
    written: absent === null ? blank(usual.map(({ writtenName }) => writtenName)) : {},
  };
}

/** `promptTokens` as `prompt_tokens`: how events and documents name a field. */
export function toSnakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** `prompt_tokens` as `promptTokens`. */
export function toCamelCase(name: string): string {
  return name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
