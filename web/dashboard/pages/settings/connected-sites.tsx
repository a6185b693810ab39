import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { SiteResource } from '../../../../src/contract/admin.ts'
import { type ForgeKind, forges, isForgeKind, type SourceKind } from '../../../../src/contract/code-hosts.ts'
import { type Column, DataTable } from '../../../ui/data-table.tsx'
import { ExternalLink } from '../../../ui/external-link.tsx'
import { Section } from '../../../ui/section.tsx'
import { useSession } from '../../api/session.ts'
import { sitesQuery } from '../../api/sites.ts'
import { Loaded } from '../../shell/loaded.tsx'
import { siteWord } from '../../shell/places.ts'

const otherHosts: Readonly<Record<Exclude<SourceKind, ForgeKind>, string | null>> = {
  builtin: 'Built-in host',
  git: 'Git, without pull requests',
  folder: null,
  crawl: null,
}

function nameHost(kind: SourceKind): string | null {
  return isForgeKind(kind) ? forges[kind].label : otherHosts[kind]
}

/** Sites and the code hosts they are read from. */
export function ConnectedSites() {
  const sites = useQuery(sitesQuery)
  const { organization } = useSession()
  const columns: [Column<SiteResource>, ...Column<SiteResource>[]] = [
    {
      title: 'Site',
      render: (site) => (
        <Link to="/$organization/$domain" params={{ organization: organization.id, domain: siteWord(site) }}>
          {site.name}
        </Link>
      ),
    },
    { title: 'Code host', render: ({ source }) => nameHost(source.kind) },
    {
      title: 'Repository',
      render: ({ source }) => <ExternalLink href={source.location}>{source.location}</ExternalLink>,
    },
    { title: 'Access', render: describeOpener },
  ]
  return (
    <Section title="Repositories in use">
      <Loaded query={sites}>
        {(sites) => (
          <DataTable
            caption="Repositories in use"
            columns={columns}
            rows={sites.filter(({ source }) => nameHost(source.kind) !== null)}
            keyOf={({ id }) => id}
          />
        )}
      </Loaded>
    </Section>
  )
}

function describeOpener({ source, hasCredential }: SiteResource): string {
  if (source.kind === 'builtin') return 'Built in'
  if (hasCredential) return 'Token of the site'
  return source.kind === 'github' ? 'GitHub App, or none if the repository is public' : 'None: public repository'
}
