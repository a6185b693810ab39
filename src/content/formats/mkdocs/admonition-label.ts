import { calloutLabel } from '../../markdown/callout-label.ts'
import { capitalize } from '../../trees/source-path.ts'

/** The line above a block: `**Note: Title**`, `**Note:**` without title, nothing for an empty one, which hides it. */
export function writeAdmonitionLabel(kind: string, title: string | undefined): string {
  const label = calloutLabel(kind) || capitalize(kind)
  if (title === undefined) return `**${label}:**`
  return title === '' ? '' : `**${label === '' ? '' : `${label}: `}${title}**`
}
