import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { SiteResource } from '../../../../src/contract/admin.ts'
import { isForgeKind } from '../../../../src/contract/code-hosts.ts'
import { Card } from '../../../ui/card.tsx'
import { CopyLine } from '../../../ui/copy-line.tsx'
import { Facts } from '../../../ui/facts.tsx'
import { Section } from '../../../ui/section.tsx'
import { readBaseUrl } from '../../api/base-url.ts'
import { useMay } from '../../api/session.ts'
import { WebhookButton } from './webhook-button.tsx'
import { repositoryOperations } from '../../../../src/contract/operations/repositories.ts'
import { listOf } from '../../api/call.ts'
import { say } from '../../../words/say.ts'

/** Addresses of a site for readers, models and git. */
export function SiteLinks({ site }: { site: SiteResource }) {
  const isOwner = useMay('owner')
  const path = `/sites/${site.slug}`
  const base = readBaseUrl()
  const facts: (readonly [string, ReactNode])[] = [
    [
      say('Readers'),
      <a key="pages" href={path}>
        {base}
        {path}
      </a>,
    ],
    [
      'llms.txt',
      <a key="llms" href={`${path}/llms.txt`}>
        {`${base}${path}/llms.txt`}
      </a>,
    ],
    [say('MCP server'), <CopyLine key="mcp" text={`${base}${path}/mcp`} what={say('address of the MCP server')} />],
    ...(site.source.kind === 'builtin'
      ? [['Git', <CloneAddress key="git" name={site.source.location} />] as const]
      : []),
    ...(isOwner && isForgeKind(site.source.kind)
      ? [[say('Webhook'), <WebhookButton key="webhook" site={site} />] as const]
      : []),
  ]
  return (
    <Section title={say('Addresses')}>
      <Card>
        <Facts facts={facts} />
      </Card>
    </Section>
  )
}

function CloneAddress({ name }: { name: string }) {
  const repositories = useQuery(listOf(repositoryOperations.listRepositories))
  const repository = repositories.data?.find((each) => each.name === name)
  if (repository === undefined) return repositories.isPending ? '…' : '–'
  return <CopyLine text={repository.cloneUrl} what={say('git clone address')} />
}
