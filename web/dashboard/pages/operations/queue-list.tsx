import { useQuery } from '@tanstack/react-query'
import { type Column, DataTable } from '../../../ui/data-table.tsx'
import { Section } from '../../../ui/section.tsx'
import { TimeText } from '../../../ui/time-text.tsx'
import { Loaded } from '../../shell/loaded.tsx'
import { serviceOperations } from '../../../../src/contract/operations/service.ts'
import { type ItemOf, queryOf } from '../../api/call.ts'
import { refreshMs } from './refresh.ts'

type Queue = ItemOf<typeof serviceOperations.listQueues>

const names: Readonly<Record<Queue['name'], string>> = {
  syncs: 'Syncs of sites',
  jobs: 'Jobs of the agent',
  webhooks: 'Webhooks that came in',
  'webhook-sends': 'Webhooks that go out',
}

const columns: [Column<Queue>, ...Column<Queue>[]] = [
  { title: 'Work', render: ({ name }) => names[name] },
  { title: 'Waiting', align: 'end', render: ({ waiting }) => waiting.toLocaleString() },
  { title: 'Running', align: 'end', render: ({ running }) => running.toLocaleString() },
  {
    title: 'Oldest waits since',
    align: 'end',
    render: ({ oldestAt }) => (oldestAt === null ? '–' : <TimeText time={oldestAt} />),
  },
]

export function QueueList() {
  const queue = useQuery({ ...queryOf(serviceOperations.listQueues), refetchInterval: refreshMs })
  return (
    <Section title="Queue">
      <Loaded query={queue}>
        {({ items: queues }) => (
          <DataTable caption="Queue" columns={columns} rows={queues} keyOf={({ name }) => name} />
        )}
      </Loaded>
    </Section>
  )
}
