import { useQuery } from '@tanstack/react-query'
import { Facts } from '../../../ui/facts.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { Section } from '../../../ui/section.tsx'
import { TimeText } from '../../../ui/time-text.tsx'
import { Loaded } from '../../shell/loaded.tsx'
import { ErrorCounts } from './error-counts.tsx'
import { HealthList } from './health-list.tsx'
import { LimitList } from './limit-list.tsx'
import { QueueList } from './queue-list.tsx'
import { serviceOperations } from '../../../../src/contract/operations/service.ts'
import { queryOf } from '../../api/call.ts'
import { language } from '../../../words/language.ts'
import { say } from '../../../words/say.ts'

export function OperationsPage() {
  return (
    <>
      <PageHeader title={say('Operations')}>
        {say('Health of the service, queues, limits and errors. Refreshes automatically.')}
      </PageHeader>
      <HealthList />
      <QueueList />
      <LimitList />
      <ErrorCounts />
      <Build />
    </>
  )
}

const bytesOfMegabyte = 1_048_576

function Build() {
  const build = useQuery(queryOf(serviceOperations.getBuildInfo))
  return (
    <Section title={say('Build')}>
      <Loaded query={build}>
        {({ version, node, platform, database, startedAt, memoryBytes }) => (
          <Facts
            facts={[
              ['Docent', version],
              ['Node', `${node}, ${platform}`],
              [say('Database'), database === 'sqlite' ? 'SQLite' : 'PostgreSQL'],
              [say('Memory'), `${Math.round(memoryBytes / bytesOfMegabyte).toLocaleString(language)} MB`],
              [say('Started'), <TimeText key="started" time={startedAt} />],
            ]}
          />
        )}
      </Loaded>
    </Section>
  )
}
