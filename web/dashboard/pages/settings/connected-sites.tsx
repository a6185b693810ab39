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
import { say } from '../../../words/say.ts'

const otherHosts: Readonly<Record<Exclude<SourceKind, ForgeKind>, string | null>> = {
  builtin: say('Built-in host'),
  git: say('Git, without pull requests'),
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
      title: say('Site'),
      render: (site) => (
        <Link to="/$organization/$domain" params={{ organization: organization.id, domain: siteWord(site) }}>
          {site.name}
        </Link>
      ),
    },
    { title: say('Code host'), render: ({ source }) => nameHost(source.kind) },
    {
      title: say('Repository'),
      render: ({ source }) => <ExternalLink href={source.location}>{source.location}</ExternalLink>,
    },
    { title: say('Access'), render: describeOpener },
  ]
  return (
    <Section title={say('Repositories in use')}>
      <Loaded query={sites}>
        {(sites) => (
          <DataTable
            caption={say('Repositories in use')}
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
  if (source.kind === 'builtin') return say('Built in')
  if (hasCredential) return say('Token of the site')
  return source.kind === 'github'
    ? say('GitHub App, or none if the repository is public')
    : say('None: public repository')
}
