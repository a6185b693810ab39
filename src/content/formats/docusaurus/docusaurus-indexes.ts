import { joinRoute } from '../../routes/routed-page.ts'
import { type ConfigValue, isConfigObject } from '../../site-config/config-value.ts'

const depthMax = 30

/** The addresses of pages that are made for categories and tags, which have no file; as patterns. */
export function listGeneratedIndexes(values: readonly ConfigValue[], route: string): string[] {
  const slugs = values.flatMap((value) => listSlugs(value, 0))
  return ['category/*', 'tags/*', ...slugs].map((slug) => joinRoute(route, slug))
}

/** Of categories in sidebars and `_category_` files: `link: { type: 'generated-index', slug }`. */
function listSlugs(value: ConfigValue, depth: number): string[] {
  if (depth > depthMax) return []
  if (Array.isArray(value)) return value.flatMap((inner) => listSlugs(inner, depth + 1))
  if (!isConfigObject(value)) return []
  const { type, slug } = value
  const own = type === 'generated-index' && typeof slug === 'string' ? [slug] : []
  return [...own, ...Object.values(value).flatMap((inner) => listSlugs(inner, depth + 1))]
}
