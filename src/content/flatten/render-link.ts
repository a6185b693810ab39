import type { Link, LinkReference } from 'mdast'
import { dropImageMarks } from '../images/image-marks.ts'
import type { RenderScope } from './render-scope.ts'

/** Renders a link with a root-relative address, or only its text if the link is disallowed. */
export function renderLink(node: Pick<Link, 'url' | 'title'>, text: string, scope: RenderScope): string {
  if (text.trim() === '') return ''
  // Nothing would be left of the link where images are left out.
  if (dropImageMarks(text).trim() === '') return text
  const address = scope.dialect.resolveLink(node.url, scope.page)
  if (address === null) return text
  const isBare = `mailto:${text}` === node.url || (text === node.url && /^[a-z][a-z\d+.-]*:/i.test(text))
  return isBare ? text : `[${text}](${escapeAddress(address)})`
}

/** Encodes what would end the target of a link. */
export function escapeAddress(address: string): string {
  return address.replace(/[\s<>()]/g, (character) =>
    encodeURIComponent(character).replace('(', '%28').replace(')', '%29'),
  )
}

/** Renders a reference link as an inline link. */
export function renderReference(node: LinkReference, text: string, scope: RenderScope): string {
  const definition = scope.source.definitions.get(node.identifier)
  if (definition === undefined || node.identifier.startsWith('^')) return `[${text}]`
  return renderLink(definition, text, scope)
}
