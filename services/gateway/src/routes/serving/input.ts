import { AppError } from '@tollgate/core';
import type { z } from 'zod';
import { invalidField } from '../../http/errors';
import { describeFault } from './describe-fault';

/** A longer one is no name, and might be a secret. */
const NAME_LENGTH_MAX = 64;

/** Turns the first fault that a schema found into the refusal that names the field. */
function toValidationError(error: z.ZodError): AppError {
  // That a name is written wrongly says more than that the right one is missing.
  const issue = error.issues.find(isTypingError) ?? error.issues[0];
  if (issue === undefined) return new AppError('VALIDATION_ERROR');
  const path = issue.code === 'unrecognized_keys' ? [...issue.path, issue.keys[0]] : issue.path;
  const param = path
    .map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`))
    .join('')
    .slice(1);
  const rule = issue.message + sayUnknown(error.issues, issue);
  if (param === '') {
    return new AppError('VALIDATION_ERROR', { publicMessage: `The body ${rule}` });
  }
  return invalidField(param, rule);
}

/** What is not known beside a field that is missing was mostly meant for it. */
function sayUnknown(issues: readonly z.core.$ZodIssue[], told: z.core.$ZodIssue): string {
  const names = issues.flatMap((one) => (one.code === 'unrecognized_keys' ? one.keys : []));
  const [name] = names;
  if (told.code === 'unrecognized_keys' || name === undefined) return '';
  const others = names.length > 1 ? ` and ${names.length - 1} more are` : ' is';
  return name.length > NAME_LENGTH_MAX ? '' : ` ${name}${others} not known here.`;
}

function isTypingError({ code, message }: z.core.$ZodIssue): boolean {
  return code === 'unrecognized_keys' && message.includes('Did you mean');
}

/** Checks a value; throws VALIDATION_ERROR. Without a schema there is nothing to read. */
export function check<Schema extends z.ZodType>(
  schema: Schema | undefined,
  value: unknown,
): z.output<Schema> | undefined {
  if (schema === undefined) return undefined;
  const result = schema.safeParse(value, { error: describeFault });
  if (result.success) return result.data;
  throw toValidationError(result.error);
}

/** The query of a URL as an object; a parameter that is given twice says two things. */
export function readQuery(url: string): Readonly<Record<string, string>> {
  const start = url.indexOf('?');
  // Without a prototype no name is there that the client did not send.
  const query = Object.create(null) as Record<string, string>;
  if (start === -1) return query;
  for (const [name, value] of new URLSearchParams(url.slice(start + 1))) {
    if (Object.hasOwn(query, name)) {
      throw invalidField(name, 'is given twice.');
    }
    query[name] = value;
  }
  return query;
}
