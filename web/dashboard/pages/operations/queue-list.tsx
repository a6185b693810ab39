import { useQuery } from '@tanstack/react-query'
import { type Column, DataTable } from '../../../ui/data-table.tsx'
import { Section } from '../../../ui/section.tsx'
import { TimeText } from '../../../ui/time-text.tsx'
import { Loaded } from '../../shell/loaded.tsx'
import { serviceOperations } from '../../../../src/contract/operations/service.ts'
import { type ItemOf, queryOf } from '../../api/call.ts'
import { refreshMs } from './refresh.ts'
import { language } from '../../../words/language.ts'
import { say } from '../../../words/say.ts'

type Queue = ItemOf<typeof serviceOperations.listQueues>

const names: Readonly<Record<Queue['name'], string>> = {
  syncs: say('Site syncs'),
  jobs: say('Agent jobs'),
  webhooks: say('Incoming webhooks'),
  comparisons: say('Pull request comparisons'),
  'drift-checks': say('Checks for drift'),
  digests: say('Weekly digests'),
  'webhook-sends': say('Outgoing webhooks'),
  'bot-events': say('Questions in chats'),
}

const columns: [Column<Queue>, ...Column<Queue>[]] = [
  { title: say('Queue'), render: ({ name }) => names[name] },
  { title: say('Waiting'), align: 'end', render: ({ waiting }) => waiting.toLocaleString(language) },
  { title: say('Running'), align: 'end', render: ({ running }) => running.toLocaleString(language) },
  {
    title: say('Oldest since'),
    align: 'end',
    render: ({ oldestAt }) => (oldestAt === null ? '–' : <TimeText time={oldestAt} />),
  },
]

export function QueueList() {
  const queue = useQuery({ ...queryOf(serviceOperations.listQueues), refetchInterval: refreshMs })
  return (
    <Section title={say('Queues')}>
      <Loaded query={queue}>
        {({ items: queues }) => (
          <DataTable caption={say('Queues')} columns={columns} rows={queues} keyOf={({ name }) => name} />
        )}
      </Loaded>
    </Section>
  )
}
