import { z } from 'zod'
import { redirectListSchema } from '../../links/redirects.ts'

/** The keys of `docs.json` that are used; the others are presentation. */
export const docsConfigSchema = z.object({
  name: z.string().optional(),
  description: z.string().optional(),
  navigation: z.union([z.record(z.string(), z.unknown()), z.array(z.unknown())]).optional(),
  variables: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).optional(),
  seo: z.looseObject({ indexing: z.enum(['navigable', 'all']).optional() }).optional(),
  markdown: z.looseObject({ instructions: z.string().optional() }).optional(),
  api: z.looseObject({ openapi: z.unknown() }).partial().optional(),
  openapi: z.unknown().optional(),
  redirects: redirectListSchema.optional(),
  // Keys of the older `mint.json`.
  tabs: z.array(z.unknown()).optional(),
  anchors: z.array(z.unknown()).optional(),
  versions: z.array(z.unknown()).optional(),
})

export type DocsConfig = z.output<typeof docsConfigSchema>

/** What a navigation node sets for itself and the pages below. Its children are parsed separately. */
export const navigationNodeSchema = z.object({
  language: z.string().optional(),
  version: z.union([z.string(), z.number()]).transform(String).optional(),
  product: z.string().optional(),
  tab: z.string().optional(),
  anchor: z.string().optional(),
  dropdown: z.string().optional(),
  group: z.string().optional(),
  item: z.string().optional(),
  root: z.string().optional(),
  href: z.string().optional(),
  tag: z.string().optional(),
  default: z.boolean().optional(),
  hidden: z.boolean().optional(),
  searchable: z.boolean().optional(),
  public: z.boolean().optional(),
  boost: z.number().positive().max(1000).optional(),
  sourceRef: z.string().optional(),
  openapi: z
    .union([
      z.string(),
      z.array(z.string()),
      z.looseObject({ source: z.union([z.string(), z.array(z.string())]), directory: z.string().optional() }),
    ])
    .optional(),
  asyncapi: z.unknown().optional(),
  graphql: z.unknown().optional(),
  sdk: z.unknown().optional(),
})

export type NavigationNode = z.output<typeof navigationNodeSchema>

/** Keys of child nodes, in reading order. */
export const containerKeys = [
  'global',
  'languages',
  'versions',
  'products',
  'tabs',
  'anchors',
  'dropdowns',
  'menu',
  'groups',
  'pages',
] as const
