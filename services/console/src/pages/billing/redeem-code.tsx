import { Alert, Button, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { ApiError } from '../../api/api-error';
import { useRedeemCode } from '../../api/billing';
import { Failure } from '../../components/failure';
import { Money } from '../../components/values';
import classes from './redeem-code.module.css';

/** A code that somebody was given, for credit. */
export function RedeemCode() {
  const redeem = useRedeemCode();
  const form = useForm({
    initialValues: { code: '' },
    validate: { code: (value) => (value.trim() === '' ? 'Write the code' : null) },
  });
  const refusal =
    redeem.error instanceof ApiError && !redeem.error.isTransient ? redeem.error : null;
  return (
    <form
      className={classes.form}
      onSubmit={form.onSubmit(({ code }) =>
        redeem.mutate(code.trim(), { onSuccess: () => form.reset() }),
      )}
      noValidate
    >
      <TextInput
        className={classes.code}
        label="Code"
        description="It begins with TG; capitals, spaces and hyphens do not matter."
        autoComplete="off"
        spellCheck={false}
        // The button is beside the field itself, whatever is said of it above and below.
        inputContainer={(input) => (
          <div className={classes.line}>
            {input}
            <Button type="submit" variant="default" loading={redeem.isPending}>
              Redeem
            </Button>
          </div>
        )}
        {...form.getInputProps('code')}
        error={form.errors.code ?? refusal?.message}
      />
      {redeem.data !== undefined && (
        <Alert variant="outline" role="status">
          <Money amount={redeem.data.amount} /> of credit is in your balance.
        </Alert>
      )}
      {redeem.error !== null && refusal === null && (
        <Failure error={redeem.error} pressed={{ verb: 'Redeem', isRepeatable: true }} />
      )}
    </form>
  );
}
