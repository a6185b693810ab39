import { prepareContainers } from '../../flatten/prepare-containers.ts'
import { createFenceTracker } from '../../markdown/code-fence.ts'
import { calloutLabel } from '../../markdown/callout-label.ts'
import { capitalize } from '../../trees/source-path.ts'

/** What a helper of a preprocessor shows of itself: the label of a tab. */
const helper =
  /(?<!\\)\{\{[ \t]*#[ \t]*\w{1,40}(?:[ \t]+(?:name|title)[ \t]*=[ \t]*"([^"\n]{1,200})")?[^{}\n]{0,300}\}\}/g
const admonition = /^([ \t]*)(`{3,}|~{3,})[ \t]*admonish\b[ \t]*([\w-]*)([^\n]*)$/

/** Rewrites alerts, the callouts of `mdbook-admonish`, and helpers of preprocessors, of which labels remain. Pure. */
export function prepareMdbook(body: string): string {
  const isCode = createFenceTracker()
  const lines = openAdmonitions(body).map((line) => {
    const shown = isCode(line) ? line : line.replace(helper, (_all, label = '') => label && `**${label}**`)
    return shown.replaceAll('\\{{#', '{{#')
  })
  return prepareContainers(lines.join('\n'))
}

/** An admonition is written as a block of code, though it holds Markdown. */
function openAdmonitions(body: string): string[] {
  const lines = body.split('\n')
  if (!body.includes('admonish')) return lines
  let end: string | null = null
  return lines.map((line) => {
    if (end === null) {
      const [match, , fence = '', kind = '', options = ''] = admonition.exec(line) ?? []
      if (match === undefined) return line
      end = fence
      const title = /\btitle=(?:"([^"\n]*)"|'([^'\n]*)')/.exec(options)?.slice(1).find(Boolean) ?? ''
      const label = calloutLabel(kind) || capitalize(kind || 'note')
      return `> **${title === '' ? label : `${label}: ${title}`}**\n>`
    }
    if (line.trim() === end) {
      end = null
      return ''
    }
    return `> ${line}`
  })
}
