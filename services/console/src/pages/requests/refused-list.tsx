import { Text } from '@mantine/core';
import { type RequestScope, useRefused } from '../../api/requests';
import type { RefusedRequest } from '../../api/schemas';
import type { Column } from '../../components/data-table';
import { ListView } from '../../components/list-view';
import { Status, toWords } from '../../components/status';
import { ModelName, Moment } from '../../components/values';
import { NOTHING } from '../../format/quantity';

/** Requests that no vendor was asked for; none of them was charged. */
export function RefusedList(props: {
  readonly scope: RequestScope;
  /** Of an operator's list; absent for every account. */
  readonly accountId: string | undefined;
  /** Who asked: for an operator the account, for an account its key. */
  readonly whose: Column<RefusedRequest>;
  readonly hrefOf: (id: string) => string;
}) {
  const refused = useRefused(props.scope, props.accountId);
  return (
    <>
      <Text c="dimmed" size="sm">
        Refused before a vendor was asked, and not charged. Some of each reason and API key are
        kept, for 24 hours.
      </Text>
      <ListView
        query={refused}
        label="Refused requests"
        columns={[when, props.whose, asked, reason, told]}
        keyOf={({ id }) => id}
        hrefOf={({ id }) => props.hrefOf(id)}
        empty={{
          title: 'No request was refused',
          text: 'What a limit, the balance, a right or a mistake stops before it begins stands here.',
        }}
      />
    </>
  );
}

const when: Column<RefusedRequest> = { header: 'When', cell: ({ at }) => <Moment at={at} /> };
const asked: Column<RefusedRequest> = {
  header: 'Model asked',
  cell: ({ requested_model }) =>
    requested_model === null ? NOTHING : <ModelName of={requested_model} />,
};
const reason: Column<RefusedRequest> = {
  header: 'Refused as',
  cell: ({ error_code }) => <Status tone="bad" label={toWords(error_code.toLowerCase())} />,
};
const told: Column<RefusedRequest> = {
  header: 'What was said',
  cell: ({ message }) => message,
  isLong: true,
};
