import { SegmentedControl } from '@mantine/core';
import { oneOf } from '../url/search';
import { useUrlState } from '../url/url-state';

/** One of a few values that the address keeps. */
export interface ChoiceOf<Value extends string> {
  /** The name of the choice in the address. */
  readonly name: string;
  /** The name of the choice for those who cannot see what it changes. */
  readonly label: string;
  readonly values: readonly Value[];
  /** The value that an address without one stands for. */
  readonly initial: Value;
  readonly labelOf: (value: Value) => string;
}

export function Choice<Value extends string>(props: { readonly of: ChoiceOf<Value> }) {
  const url = useUrlState();
  const { name, label, values, initial, labelOf } = props.of;
  return (
    <SegmentedControl
      size="sm"
      aria-label={label}
      value={oneOf(url.get(name), values, initial)}
      data={values.map((value) => ({ value, label: labelOf(value) }))}
      onChange={(value) =>
        url.set({ [name]: value === initial ? undefined : value }, { replace: true })
      }
    />
  );
}

/** The present choice. */
export function useChoice<Value extends string>(choice: ChoiceOf<Value>): Value {
  return oneOf(useUrlState().get(choice.name), choice.values, choice.initial);
}
