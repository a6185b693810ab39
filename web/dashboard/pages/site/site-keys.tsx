import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { KeyRound } from 'lucide-react'
import type { KeyResource, SiteResource } from '../../../../src/contract/admin.ts'
import { Badge } from '../../../ui/badge.tsx'
import { type Column, DataTable } from '../../../ui/data-table.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { Section } from '../../../ui/section.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { TimeText } from '../../../ui/time-text.tsx'
import { useSession } from '../../api/session.ts'
import { Loaded } from '../../shell/loaded.tsx'
import { describeKeyState } from '../keys/key-state.ts'
import { keyOperations } from '../../../../src/contract/operations/keys.ts'
import { listOf } from '../../api/call.ts'

const columns: [Column<KeyResource>, ...Column<KeyResource>[]] = [
  { title: 'Name', render: ({ name }) => name },
  { title: 'Key', render: ({ hint }) => <code>…{hint}</code> },
  {
    title: 'Last used',
    render: ({ lastUsedAt }) => (lastUsedAt === null ? 'Never' : <TimeText time={lastUsedAt} />),
  },
  { title: 'State', render: (key) => <KeyState apiKey={key} /> },
]

/** Assistant keys of a site. The API keys page manages them. */
export function SiteKeys({ site }: { site: SiteResource }) {
  const { organization } = useSession()
  const keys = useQuery(listOf(keyOperations.listKeys))
  const toKeys = (
    <Link to="/$organization/keys" params={{ organization: organization.id }}>
      All API keys
    </Link>
  )
  return (
    <Section title="Keys" action={toKeys}>
      <Loaded query={keys} skeleton={<Skeleton count={2} />}>
        {(keys) => {
          const own = keys.filter(({ siteId }) => siteId === site.id)
          if (own.length > 0)
            return <DataTable caption="Keys of the site" columns={columns} rows={own} keyOf={({ id }) => id} />
          return (
            <EmptyState icon={<KeyRound aria-hidden />} title="No keys for this site">
              With an assistant key, a front end can ask questions about it.
            </EmptyState>
          )
        }}
      </Loaded>
    </Section>
  )
}

function KeyState({ apiKey }: { apiKey: KeyResource }) {
  const { tone, label } = describeKeyState(apiKey, Date.now())
  return <Badge tone={tone}>{label}</Badge>
}
