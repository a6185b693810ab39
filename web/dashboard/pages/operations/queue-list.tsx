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
  syncs: 'Site syncs',
  jobs: 'Agent jobs',
  webhooks: 'Incoming webhooks',
  comparisons: 'Comparisons of pull requests',
  'drift-checks': 'Checks for drift',
  digests: 'Weekly digests',
  'webhook-sends': 'Outgoing webhooks',
  'bot-events': 'Questions in chats',
}

const columns: [Column<Queue>, ...Column<Queue>[]] = [
  { title: 'Queue', render: ({ name }) => names[name] },
  { title: 'Waiting', align: 'end', render: ({ waiting }) => waiting.toLocaleString() },
  { title: 'Running', align: 'end', render: ({ running }) => running.toLocaleString() },
  {
    title: 'Oldest since',
    align: 'end',
    render: ({ oldestAt }) => (oldestAt === null ? '–' : <TimeText time={oldestAt} />),
  },
]

export function QueueList() {
  const queue = useQuery({ ...queryOf(serviceOperations.listQueues), refetchInterval: refreshMs })
  return (
    <Section title="Queues">
      <Loaded query={queue}>
        {({ items: queues }) => (
          <DataTable caption="Queues" columns={columns} rows={queues} keyOf={({ name }) => name} />
        )}
      </Loaded>
    </Section>
  )
}
