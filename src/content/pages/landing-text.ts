import type { ConfigFields } from '../site-config/config-fields.ts'
import { type ConfigValue, isConfigObject } from '../site-config/config-value.ts'
import { joinBlocks } from '../markdown/markdown-writing.ts'
import { stripTags } from '../markdown/strip-tags.ts'

type TextOf = (fields: { [key: string]: ConfigValue }, key: string) => string

/**
 * Extracts the text of a landing page, which several formats keep in the frontmatter: `hero` with title, tagline and
 * actions, and `features`. Empty for other pages.
 *
 * @param resolve Makes the address of an action root-relative, or null if it is disallowed.
 */
export function readLandingText(fields: ConfigFields, resolve: (url: string) => string | null): string {
  const hero = fields.get('hero')
  const parts: string[] = []
  if (isConfigObject(hero)) {
    parts.push(...['title', 'name', 'text', 'tagline'].map((key) => textOf(hero, key)))
    parts.push(listActions(hero['actions'], resolve))
  }
  for (const feature of fields.list('features').slice(0, 200)) {
    if (!isConfigObject(feature)) continue
    const title = textOf(feature, 'title')
    parts.push(title === '' ? '' : `**${title}**`, textOf(feature, 'details'))
    const link = textOf(feature, 'link')
    const address = link === '' ? null : resolve(link)
    if (address !== null) parts.push(`[${textOf(feature, 'linkText') || title}](${address})`)
  }
  return joinBlocks([...new Set(parts)])
}

const textOf: TextOf = (fields, key) => {
  const value = fields[key]
  return typeof value === 'string' ? stripTags(value).replace(/\s+/g, ' ').trim() : ''
}

function listActions(actions: ConfigValue, resolve: (url: string) => string | null): string {
  if (!Array.isArray(actions)) return ''
  const lines = actions.slice(0, 50).map((action) => {
    if (!isConfigObject(action)) return ''
    const address = resolve(textOf(action, 'link'))
    return address === null ? '' : `- [${textOf(action, 'text')}](${address})`
  })
  return joinBlocks(lines, '\n')
}
