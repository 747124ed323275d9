import { toCamelCase } from '@tollgate/core';
import { z } from 'zod';
import { isAmount, toAmount } from '../../money/amounts';

type CamelCase<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : Name;

/** A value of an answer as a received message has it: a number of 64 bits is a text. */
type Received<Value> = Value extends number ? number | string : Value;

/** The fields of a message from which those of an answer are read. */
type MessageFor<Answer> = {
  readonly [Name in keyof Answer & string as null extends Answer[Name]
    ? never
    : CamelCase<Name>]: Received<Answer[Name]>;
} & {
  readonly [Name in keyof Answer & string as null extends Answer[Name] ? CamelCase<Name> : never]?:
    | Received<Answer[Name]>
    | undefined;
};

/**
 * The message, or `never` where its type has no field of one of the names. A field that may be absent
 * is no exception: if the contract renamed it, the code would compile and answer null for ever.
 */
type WithEveryName<Wanted, Message> = [keyof Wanted] extends [keyof Message] ? Message : never;

/**
 * The answer of a schema from a message that has its fields in camel case, in the order of the
 * schema. `own` has the fields that the message has otherwise, or not at all.
 */
export function answerOf<
  Schema extends z.ZodObject,
  Own extends Partial<z.output<Schema>>,
  Message extends MessageFor<Omit<z.output<Schema>, keyof Own>>,
>(
  schema: Schema,
  message: Message & WithEveryName<MessageFor<Omit<z.output<Schema>, keyof Own>>, Message>,
  own: Own,
): z.output<Schema> {
  const received = message as Readonly<Record<string, unknown>>;
  const given = own as Readonly<Record<string, unknown>>;
  const fields = Object.entries(schema.shape).map(([name, field]) => {
    const value =
      name in given ? given[name] : fromReceived(field as z.ZodType, received[toCamelCase(name)]);
    return [name, value];
  });
  return Object.fromEntries(fields) as z.output<Schema>;
}

function fromReceived(field: z.ZodType, value: unknown): unknown {
  if (field instanceof z.ZodNullable) {
    const isAbsent = value === undefined || value === null || value === '';
    return isAbsent ? null : fromReceived(field.unwrap() as z.ZodType, value);
  }
  if (isAmount(field)) return toAmount(String(value));
  return field instanceof z.ZodNumber ? Number(value) : value;
}
