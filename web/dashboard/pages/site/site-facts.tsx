import type { ReactNode } from 'react'
import type { SiteResource } from '../../../../src/contract/admin.ts'
import { countOf } from '../../../../src/contract/count-of.ts'
import { Badge } from '../../../ui/badge.tsx'
import { CopyLine } from '../../../ui/copy-line.tsx'
import { Facts } from '../../../ui/facts.tsx'
import { TimeText } from '../../../ui/time-text.tsx'
import { describeSiteState } from './site-state.ts'
import { nameSource } from './source-names.ts'

type Fact = readonly [name: string, value: ReactNode]

/** Details of a site: its identity, published index and source. */
export function SiteFacts({ site }: { site: SiteResource }) {
  return <Facts facts={[...listIdentity(site), ...listServed(site), ...listSource(site)]} />
}

function listIdentity(site: SiteResource): Fact[] {
  const { tone, label } = describeSiteState(site)
  return [
    [
      'State',
      <Badge key="state" tone={tone}>
        {label}
      </Badge>,
    ],
    ['Slug', <CopyLine key="slug" text={site.slug} what="slug" />],
    ['Site ID', <CopyLine key="id" text={site.id} what="site ID" />],
    ['Project ID', <CopyLine key="project" text={site.projectId} what="project ID" />],
    ...(site.hostnames.length === 0 ? [] : [['Host names', site.hostnames.join(', ')] as const]),
  ]
}

function listServed({ generation, confirmation }: SiteResource): Fact[] {
  if (generation === null) return [['Published', 'Not yet']]
  return [
    [confirmation === null ? 'Published' : 'Read', <TimeText key="time" time={generation.createdAt} />],
    ['Generation', generation.number.toLocaleString()],
    ['Revision', <CopyLine key="revision" text={generation.revision} what="revision" />],
    ['Pages', `${generation.pages.toLocaleString()}, in ${countOf(generation.chunks, 'passage')}`],
  ]
}

function listSource({ source, hasCredential }: SiteResource): Fact[] {
  return [
    ['Source', `${nameSource(source.kind)}: ${source.location}`],
    ...(source.ref === null ? [] : [['Branch', <code key="branch">{source.ref}</code>] as const]),
    ...(source.subdirectory === '' ? [] : [['Subdirectory', <code key="folder">{source.subdirectory}</code>] as const]),
    ...(hasCredential ? [['Credential', 'Stored, encrypted'] as const] : []),
  ]
}
