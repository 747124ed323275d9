import { Autocomplete, CloseButton, Select, type SelectProps, TextInput } from '@mantine/core';
import { type ComponentType, useRef } from 'react';
import { useUrlState } from '../url/url-state';
import classes from './filters.module.css';

/** How long a list that the API narrows waits for the next letter. */
export const TYPING_MS = 250;

/** One filter of a list, kept in the address under its name. */
export interface Filter {
  readonly name: string;
  readonly label: string;
  /** The values that may be chosen; without them the filter takes free text. */
  readonly options?: readonly { readonly value: string; readonly label: string }[];
  /** The options are all that there are: another value narrows nothing, and is not shown as set. */
  readonly isClosed?: boolean;
  /** Values that are offered while free text is written. */
  readonly suggested?: readonly string[];
  /** Says what may be written, where the label leaves that open. */
  readonly hint?: string;
  /** The field, where a choice among some options is not enough. */
  readonly Picker?: ComponentType<SelectProps>;
  /** The name of a value that the options may lack. */
  readonly Named?: ComponentType<{ readonly id: string }>;
}

function isMadeUp({ isClosed, options = [] }: Filter, value: string): boolean {
  return isClosed === true && !options.some((option) => option.value === value);
}

/** Suggestions that are offered at once. */
const SUGGESTED_MAX = 8;

/** The filters of a list; those that are set show as chips, each with the way to take it away. */
export function Filters(props: { readonly filters: readonly Filter[] }) {
  const url = useUrlState();
  const place = useRef<HTMLDivElement>(null);
  // The chip is gone with its button: the keyboard goes on in the field that it was set in.
  const remove = ({ name, label }: Filter) => {
    url.set({ [name]: undefined }, { replace: true });
    place.current?.querySelector<HTMLElement>(`input[aria-label="${CSS.escape(label)}"]`)?.focus();
  };
  // A filter that is alone says itself what it is set to.
  const isAlone = props.filters.length === 1;
  const set = props.filters.flatMap((filter) => {
    const value = url.get(filter.name);
    return value === undefined || isMadeUp(filter, value) ? [] : [{ ...filter, value }];
  });
  return (
    <div ref={place} className={classes.filters}>
      {props.filters.map((filter) => (
        <FilterField key={filter.name} filter={filter} isAlone={isAlone} />
      ))}
      {!isAlone && set.length > 0 && (
        <div className={classes.chips}>
          {set.map(({ value, ...filter }) => (
            <span key={filter.name} className={classes.chip}>
              {filter.label}: <FilterValue filter={filter} value={value} />
              <CloseButton
                size="xs"
                aria-label={`Remove the filter ${filter.label}`}
                onClick={() => remove(filter)}
              />
            </span>
          ))}
        </div>
      )}
    </div>
  );
}

function FilterField(props: { readonly filter: Filter; readonly isAlone: boolean }) {
  const { filter, isAlone } = props;
  const { name, label, hint = label, options, suggested, Picker } = filter;
  const url = useUrlState();
  const value = url.get(name);
  const set = (next: string | null) => url.set({ [name]: next ?? undefined }, { replace: true });
  const looks = { size: 'xs', 'aria-label': label, placeholder: hint };
  if (suggested !== undefined) {
    return (
      <Autocomplete
        {...looks}
        data={[...suggested]}
        limit={SUGGESTED_MAX}
        value={value ?? ''}
        onChange={set}
      />
    );
  }
  if (options === undefined && Picker === undefined) {
    return (
      <TextInput
        {...looks}
        value={value ?? ''}
        onChange={(event) => set(event.currentTarget.value)}
      />
    );
  }
  const Field = Picker ?? Select;
  return (
    <Field
      {...looks}
      data={[...(options ?? [])]}
      value={value ?? null}
      searchable={(options ?? []).length > 8}
      clearable={isAlone}
      clearButtonProps={{ 'aria-label': `Remove the filter ${label}` }}
      onChange={set}
    />
  );
}

/** What a filter is set to, by its name where it has one. */
function FilterValue(props: { readonly filter: Filter; readonly value: string }) {
  const { filter, value } = props;
  const { Named, options = [] } = filter;
  if (Named !== undefined) return <Named id={value} />;
  return <>{options.find((option) => option.value === value)?.label ?? value}</>;
}
