import { ExternalLink } from '../../ui/external-link.tsx'
import classes from './answer.module.css'

export interface Source {
  url: string
  title: string
}

export function SourceList({ sources }: { sources: readonly Source[] }) {
  if (sources.length === 0) return null
  return (
    <div className={classes.sources}>
      <h3 className={classes.small}>Sources</h3>
      <ol className={classes.sourceList}>
        {sources.map(({ url, title }) => (
          <li key={url}>
            <ExternalLink href={url}>{title === '' ? url : title}</ExternalLink>
          </li>
        ))}
      </ol>
    </div>
  )
}
