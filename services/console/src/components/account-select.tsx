import { Select, type SelectProps } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { useAccountName, useAccounts } from '../api/accounts';
import { toOptions } from '../format/names';
import { type Filter, TYPING_MS } from './filters';
import { AccountName } from './thing-links';

/** Chooses one of all accounts: what is typed is the beginning of a name, which the API looks for. */
export function AccountSelect(props: SelectProps) {
  const value = props.value ?? '';
  const chosen = useAccountName(String(value));
  const [typed, setTyped] = useState('');
  const [sought] = useDebouncedValue(typed, TYPING_MS);
  // The name of the one that is chosen stands in the field without being looked for.
  const found = useAccounts(sought === '' || sought === chosen ? {} : { name: sought });
  const options = toOptions(found.data);
  const isThere = chosen === undefined || options.some((option) => option.value === value);
  return (
    <Select
      {...props}
      data={isThere ? options : [{ value: String(value), label: chosen }, ...options]}
      searchable
      onSearchChange={setTyped}
      filter={(asked) => asked.options}
      nothingFoundMessage={found.data && 'No name begins like this'}
    />
  );
}

/** The filter of a list by an account, in which any account is found. */
export const ACCOUNT_FILTER: Filter = {
  name: 'account',
  label: 'Account',
  Picker: AccountSelect,
  Named: AccountName,
};
