import { z } from 'zod'

/** Of paths that an assistant key opens, and of the public pages of a site. */
export const domainParams = z.object({
  domain: z.string().meta({ description: "The site's slug or one of its host names." }),
})

export const idParams = z.object({ id: z.string() })

/** Of a site and of what it has. */
export const siteParams = z.object({ id: z.string().meta({ description: 'The site, by id or slug.' }) })
