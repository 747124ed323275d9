import { Card, SimpleGrid, Stack, Table, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Balance, Usage } from '../api/types';
import { useSession } from '../session/session';
import { PageState } from './page-state';

const REFRESH_MS = 5000;

function Figure({ label, value }: { readonly label: string; readonly value: string }) {
  return (
    <Card withBorder>
      <Text size="sm" c="dimmed">
        {label}
      </Text>
      <Text size="xl" fw={600}>
        {value}
      </Text>
    </Card>
  );
}

/** The balance, and the last day's usage by model. */
export function OverviewPage() {
  const { api } = useSession();
  const balance = useQuery({
    queryKey: ['balance'],
    queryFn: () => api.get<Balance>('/v1/billing/balance'),
    refetchInterval: REFRESH_MS,
  });
  const usage = useQuery({
    queryKey: ['usage'],
    queryFn: () => api.get<Usage>('/v1/stats?interval=day&group_by=model'),
    refetchInterval: REFRESH_MS,
  });
  return (
    <Stack>
      <Title order={2}>Overview</Title>
      <PageState query={balance}>
        {(data) => (
          <SimpleGrid cols={{ base: 1, sm: 3 }}>
            <Figure label="Available" value={`${data.available} ${data.currency}`} />
            <Figure label="Reserved" value={`${data.reserved} ${data.currency}`} />
            <Figure label="Used in all" value={`${data.total_usage} ${data.currency}`} />
          </SimpleGrid>
        )}
      </PageState>
      <Title order={3}>Usage by day and model</Title>
      <PageState
        query={usage}
        isEmpty={(data) => data.results.length === 0}
        emptyText="No requests yet."
      >
        {(data) => (
          <Table.ScrollContainer minWidth={520}>
            <Table striped>
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>Day</Table.Th>
                  <Table.Th>Model</Table.Th>
                  <Table.Th ta="right">Requests</Table.Th>
                  <Table.Th ta="right">Failed</Table.Th>
                  <Table.Th ta="right">Tokens</Table.Th>
                  <Table.Th ta="right">Spend</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {data.results.map(({ bucket, group, metrics }) => (
                  <Table.Tr key={`${bucket} ${group.model}`}>
                    <Table.Td>{bucket.slice(0, 10)}</Table.Td>
                    <Table.Td>{group.model}</Table.Td>
                    <Table.Td ta="right">{metrics.requests}</Table.Td>
                    <Table.Td ta="right">{metrics.failed_requests}</Table.Td>
                    <Table.Td ta="right">{metrics.total_tokens}</Table.Td>
                    <Table.Td ta="right">{metrics.spend}</Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          </Table.ScrollContainer>
        )}
      </PageState>
    </Stack>
  );
}
