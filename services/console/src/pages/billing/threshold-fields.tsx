import { TagsInput } from '@mantine/core';
import type { GetInputPropsReturnType } from '@mantine/form';
import { useCurrency } from '../../api/billing';
import { symbolOf } from '../../format/money';

/** The balances at which somebody is told: the same two fields for an account and for a plan. */
export function ThresholdFields(props: {
  readonly amounts: GetInputPropsReturnType;
  readonly days: GetInputPropsReturnType;
}) {
  return (
    <>
      <NumbersField
        label="Warn below these amounts"
        description="Press Enter after each, such as 10.00."
        inputMode="decimal"
        leftSection={symbolOf(useCurrency())}
        field={props.amounts}
      />
      <NumbersField
        label="Warn with so many days left"
        description="Days that the balance lasts, such as 7."
        inputMode="numeric"
        field={props.days}
      />
    </>
  );
}

function NumbersField(props: {
  readonly label: string;
  readonly description: string;
  readonly inputMode: 'decimal' | 'numeric';
  readonly leftSection?: string;
  readonly field: GetInputPropsReturnType;
}) {
  const { field, ...input } = props;
  return <TagsInput splitChars={[',', ' ']} acceptValueOnBlur {...input} {...field} />;
}
