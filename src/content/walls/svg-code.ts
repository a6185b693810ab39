import { Parser } from 'htmlparser2'
import type { CodeItem } from './code-item.ts'
import { isDangerousElement, isRawText, listElementCode } from './element-code.ts'

/** The parts of an image; `style` is judged by what it contains. */
const dangerousInside = /url\s*\(\s*['"]?(?!#)|(?:image-set|cross-fade)\s*\(|@import|expression\s*\(|javascript:|\\/i

/** Lists what an SVG image runs or fetches. A file that is not a single image is one item. */
export function listSvgCode(svg: string): CodeItem[] {
  const items: CodeItem[] = []
  const add = (text: string) => void items.push({ kind: 'element', text, line: null })
  let depth = 0
  let isStyle = false
  let content: string | null = null
  let isVerbatim = false
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        if (depth === 0 && name !== 'svg') add(name)
        depth++
        if (!isKnownShape(name)) add(name)
        isStyle = /(?:^|:)style$/i.test(name)
        content = isRawText(name) ? '' : null
        const written = Object.entries(attributes).map(([key, value]) => ({ name: key, value }))
        items.push(...listElementCode({ name, attributes: written, line: null }).filter(isOdd))
        for (const { name: key, value } of written) {
          const isAddress = /^(?:href|src)$/i.test(key.split(':').at(-1) ?? '')
          if ((isAddress && !/^#|^data:image\/(?:png|jpeg|gif|webp);/i.test(value)) || dangerousInside.test(value))
            add(`${name} ${key}="${value}"`)
        }
      },
      onclosetag() {
        depth--
        if (content !== null && (isStyle ? dangerousInside.test(content) : content.trim() !== '')) {
          add(`${isStyle ? 'style' : 'script'} ${content}`)
        }
        content = null
      },
      // Texts come in pieces, split at entities.
      ontext(text) {
        if (content !== null) content += text
        // Where an image is put into a page, its markup is read as HTML.
        else if (isVerbatim && /<[a-z/!]/i.test(text)) add(`CDATA ${text}`)
      },
      oncdatastart: () => void (isVerbatim = true),
      oncdataend: () => void (isVerbatim = false),
      onprocessinginstruction: (name, data) => {
        const isOther = /encoding\s*=\s*(?!["']utf-8["'])/i.test(data)
        if (isOther || !/^\?xml$/i.test(name)) add(data)
      },
    },
    { xmlMode: true, decodeEntities: true },
  )
  parser.end(svg)
  return depth === 0 ? items : [...items, { kind: 'element', text: 'unclosed markup', line: null }]
}

/** Fine within an image, but not on a page. */
const ofImages = new Set(['style', 'title', 'image', 'use'])
const shapes = new Set(
  (
    'a circle clipPath defs desc ellipse feBlend feColorMatrix feComponentTransfer feComposite feConvolveMatrix ' +
    'feDiffuseLighting feDisplacementMap feDistantLight feDropShadow feFlood feFuncA feFuncB feFuncG feFuncR ' +
    'feGaussianBlur feMerge feMergeNode feMorphology feOffset fePointLight feSpecularLighting feSpotLight feTile ' +
    'feTurbulence filter font-face g hatch hatchpath image line linearGradient marker mask mesh metadata path pattern ' +
    'polygon polyline radialGradient rect solidcolor stop style svg switch symbol text textPath title tref tspan use view'
  ).split(' '),
)

function isOdd({ kind, text }: CodeItem): boolean {
  if (kind !== 'element') return true
  const local = (text.split(' ')[0] ?? '').replace(/^svg:/, '')
  return !ofImages.has(local) && isDangerousElement(local)
}

/** Metadata of drawing programs is in namespaces with prefixes. */
function isKnownShape(name: string): boolean {
  return shapes.has(name.replace(/^svg:/, '')) || /^(?:sodipodi|inkscape|rdf|cc|dc):[A-Za-z-]+$/.test(name)
}
