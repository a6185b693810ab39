import type { ReactNode } from 'react'
import type { SiteResource } from '../../../../src/contract/admin.ts'
import { CopyLine } from '../../../ui/copy-line.tsx'
import { Facts } from '../../../ui/facts.tsx'
import { TimeText } from '../../../ui/time-text.tsx'
import { nameSource } from './source-names.ts'
import { language } from '../../../words/language.ts'
import { say, sayCount } from '../../../words/say.ts'

type Fact = readonly [name: string, value: ReactNode]

/** Details of a site: its identity, published index and source. */
export function SiteFacts({ site }: { site: SiteResource }) {
  return <Facts facts={[...listIdentity(site), ...listServed(site), ...listSource(site)]} />
}

function listIdentity(site: SiteResource): Fact[] {
  return [
    [say('Slug'), <CopyLine key="slug" text={site.slug} what={say('slug')} />],
    [say('Site ID'), <CopyLine key="id" text={site.id} what={say('site ID')} />],
    [say('Project ID'), <CopyLine key="project" text={site.projectId} what={say('project ID')} />],
    ...(site.hostnames.length === 0 ? [] : [[say('Host names'), site.hostnames.join(', ')] as const]),
  ]
}

function listServed({ generation, confirmation }: SiteResource): Fact[] {
  if (generation === null) return [[say('Published'), say('Not yet')]]
  return [
    [confirmation === null ? say('Published') : say('Read'), <TimeText key="time" time={generation.createdAt} />],
    [say('Generation'), generation.number.toLocaleString(language)],
    [say('Revision'), <CopyLine key="revision" text={generation.revision} what={say('revision')} />],
    [
      say('Pages'),
      sayCount(generation.chunks, '{pages}, in {count} passage', '{pages}, in {count} passages', {
        pages: generation.pages,
      }),
    ],
  ]
}

function listSource({ source, hasCredential }: SiteResource): Fact[] {
  return [
    [say('Source'), `${nameSource(source.kind)}: ${source.location}`],
    ...(source.ref === null ? [] : [[say('Branch'), <code key="branch">{source.ref}</code>] as const]),
    ...(source.subdirectory === ''
      ? []
      : [[say('Subdirectory'), <code key="folder">{source.subdirectory}</code>] as const]),
    ...(hasCredential ? [[say('Credential'), say('Stored, encrypted')] as const] : []),
  ]
}
