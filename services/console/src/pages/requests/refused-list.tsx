import { Anchor, Text } from '@mantine/core';
import { Link } from 'wouter';
import type { ListQuery } from '../../api/hooks';
import type { RefusedRequest } from '../../api/schemas';
import type { Column } from '../../components/data-table';
import type { Filter } from '../../components/filters';
import { ListView } from '../../components/list-view';
import { Status } from '../../components/status';
import { ModelName, Moment, Sentence } from '../../components/values';
import { NOTHING } from '../../format/quantity';
import { type OpenThing, useUrlState } from '../../url/url-state';
import { labelReason, nameReason } from './describe-request';
import { fitsRefused, reasonsOf } from './request-filter';

/** Requests that no vendor was asked for; none of them was charged. */
export function RefusedList(props: {
  readonly refused: ListQuery<RefusedRequest>;
  /** Who asked: for an operator the account, for an account its key. */
  readonly whose: Column<RefusedRequest>;
  readonly open: OpenThing;
}) {
  const { get } = useUrlState();
  const filter = { reason: get('reason'), key: get('key') };
  const isFiltered = filter.reason !== undefined || filter.key !== undefined;
  return (
    <>
      <Text c="dimmed" size="sm">
        Refused before a vendor was asked, and not charged. Some of each reason and API key are
        kept, for 24 hours.
      </Text>
      <ListView
        query={props.refused}
        label="Refused requests"
        columns={[when, refusedAs, asked, props.whose, told]}
        {...props.open.rows}
        fits={(one) => fitsRefused(one, filter)}
        empty={
          isFiltered
            ? { title: 'No refused request fits', text: 'Take a filter away to see more.' }
            : {
                title: 'No request was refused',
                text: 'What a limit, the balance, a right or a mistake stops before it begins stands here.',
              }
        }
      />
    </>
  );
}

/** A choice among the reasons that there are. */
export function reasonFilter(
  refused: readonly RefusedRequest[],
  chosen: string | undefined,
): Filter {
  return {
    name: 'reason',
    label: 'Reason',
    options: reasonsOf(refused, chosen).map((value) => ({ value, label: labelReason(value) })),
  };
}

/** Tells of requests that the list beside it does not have; nothing while there are none. */
export function RefusedNotice(props: {
  readonly refused: ListQuery<RefusedRequest>;
  /** The list that has them. */
  readonly href: string;
}) {
  const newest = props.refused.data?.[0];
  if (newest === undefined) return null;
  return (
    <Text c="dimmed" size="sm">
      Other requests were refused before a vendor was asked. The newest <Moment at={newest.at} />:{' '}
      {nameReason(newest.error_code)}.{' '}
      <Anchor component={Link} href={props.href} inherit underline="always">
        See the refused
      </Anchor>
    </Text>
  );
}

const when: Column<RefusedRequest> = {
  header: 'When',
  atHead: 'right',
  cell: ({ at }) => <Moment at={at} />,
};
const asked: Column<RefusedRequest> = {
  header: 'Model asked',
  width: 'name',
  cell: ({ requested_model }) =>
    requested_model === null ? NOTHING : <ModelName of={requested_model} />,
};
const refusedAs: Column<RefusedRequest> = {
  header: 'Refused as',
  atHead: 'left',
  cell: ({ error_code }) => <Status tone="bad" label={labelReason(error_code)} />,
};
const told: Column<RefusedRequest> = {
  header: 'What was said',
  width: 'sentence',
  cell: ({ message }) => <Sentence of={message} isWhole />,
  isLong: true,
};
