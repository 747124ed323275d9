import { CommandError } from '../errors';
import { describeValue } from '../values/describe';
import { EMPTY_ARRAY, type KeyComponent } from '../values/index-key';
import type { Document, Value } from '../values/value';
import type { IndexDefinition } from './index-definition';

/** Error 11000 with the members that drivers and mongoose read: `keyPattern` and `keyValue`. */
export function duplicateKeyError(
  namespace: string,
  index: IndexDefinition,
  components: readonly KeyComponent[],
): CommandError {
  const keyValue: Document = new Map();
  for (const [position, field] of index.fields.entries()) {
    const component = components[position];
    keyValue.set(field.name, component === EMPTY_ARRAY ? [] : (component ?? null));
  }
  const keyPattern = index.specification.get('key') as Value;
  return new CommandError(
    'DuplicateKey',
    `E11000 duplicate key error collection: ${namespace} index: ${index.name} ` +
      `dup key: ${describeValue(keyValue)}`,
    new Map([
      ['keyPattern', keyPattern],
      ['keyValue', keyValue],
    ]),
  );
}
