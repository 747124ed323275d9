import { Alert, Button, Text } from '@mantine/core';
import { useResetThresholds, useSetThresholds, useThresholds } from '../../api/billing';
import type { Thresholds as StoredThresholds } from '../../api/schemas';
import { useEditForm } from '../../components/edit-form';
import { Failure } from '../../components/failure';
import { AmountInput, Beside, Form } from '../../components/form';
import { Panel, Section } from '../../components/page';
import { QueryState } from '../../components/query-state';
import { Money } from '../../components/values';
import { toNano } from '../../format/money';
import { ThresholdFields } from './threshold-fields';
import { THRESHOLDS_RULES, toThresholds, toThresholdsDraft } from './thresholds-draft';

/** When the account is told that its balance is low, and where its spending ends. */
export function Thresholds() {
  const thresholds = useThresholds();
  return (
    <Section title="Low balance">
      <QueryState query={thresholds} lines={4}>
        {(data) => (
          <Panel>
            {data.suspended && (
              <Alert variant="outline" color="var(--toll-bad)" role="status" mb="md">
                Requests that cost are refused now: the balance is below the amount that is kept.
              </Alert>
            )}
            <EditThresholds thresholds={data} />
          </Panel>
        )}
      </QueryState>
    </Section>
  );
}

const SOURCES: Readonly<Record<StoredThresholds['source'], string>> = {
  account: 'These are your own.',
  plan: 'These are your plan’s.',
  default: 'You have set none.',
};

function EditThresholds({ thresholds }: { readonly thresholds: StoredThresholds }) {
  const set = useSetThresholds();
  const reset = useResetThresholds();
  const form = useEditForm(toThresholdsDraft(thresholds), THRESHOLDS_RULES);
  const isUnchanged = JSON.stringify(form.values) === JSON.stringify(toThresholdsDraft(thresholds));
  return (
    <>
      <Text c="dimmed" size="sm" mb="md">
        A webhook for <b>balance.low</b> is sent once when the balance goes below an amount or a
        number of days set here; a day costs <Money amount={thresholds.daily_spend} /> at the pace
        of the last two days. {SOURCES[thresholds.source]}
        {thresholds.source === 'default' && toNano(thresholds.amounts[0] ?? '0') > 0n && (
          <>
            {' '}
            Until you do, that is <Money amount={thresholds.amounts[0]} />, a tenth of the last
            credit.
          </>
        )}
      </Text>
      <Form
        form={form}
        verb="Save"
        change={set}
        isUnchanged={isUnchanged}
        isSaved={set.isSuccess || reset.isSuccess}
        otherwise={
          thresholds.source === 'account' && (
            <Button
              variant="default"
              loading={reset.isPending}
              onClick={() => reset.mutate(undefined)}
            >
              Go back to the plan’s
            </Button>
          )
        }
        onSubmit={(draft) => set.mutate(toThresholds(draft, thresholds))}
      >
        <Beside>
          <ThresholdFields
            amounts={form.getInputProps('amounts')}
            days={form.getInputProps('days')}
          />
          <AmountInput
            label="Stop spending below"
            description="Then requests that cost are refused."
            placeholder="Nothing"
            {...form.getInputProps('suspend_below')}
          />
        </Beside>
      </Form>
      {reset.error !== null && <Failure error={reset.error} />}
    </>
  );
}
