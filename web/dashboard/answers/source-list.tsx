import type { Citation } from '../../../src/contract/citations.ts'
import { CitedSources } from '../../citations/cited-sources.tsx'
import { ExternalLink } from '../../ui/external-link.tsx'
import classes from './answer.module.css'
import { say } from '../../words/say.ts'

export interface Source {
  url: string
  title: string
}

export interface SourceListProps {
  sources: readonly Source[]
  citations: readonly Citation[]
  /** Verdict on the answer. */
  verdict: string | null
}

/** Cited sections by number, and then the pages that an answer only links to. */
export function SourceList({ sources, citations, verdict }: SourceListProps) {
  const cited = new Set(citations.map(({ url }) => pageOf(url)))
  const others = sources.filter(({ url }) => !cited.has(pageOf(url)))
  if (sources.length === 0 && citations.length === 0) return null
  return (
    <div className={classes.sources}>
      <h3 className={classes.small}>{say('Sources')}</h3>
      {citations.length === 0 ? null : <CitedSources citations={citations} isConflict={verdict === 'conflicting'} />}
      {others.length === 0 ? null : (
        <ol className={classes.sourceList}>
          {others.map(({ url, title }) => (
            <li key={url}>
              <ExternalLink href={url}>{title === '' ? url : title}</ExternalLink>
            </li>
          ))}
        </ol>
      )}
    </div>
  )
}

function pageOf(url: string): string {
  return url.split('#', 1)[0] ?? url
}
