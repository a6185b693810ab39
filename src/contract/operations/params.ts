import { z } from 'zod'

/** Path parameters of operations for assistant keys, and of a site's public pages. */
export const domainParams = z.object({
  domain: z.string().meta({ description: "The site's slug or one of its host names." }),
})

export const idParams = z.object({ id: z.string().meta({ description: 'Id of the resource.' }) })

/** Path parameters of a site and its resources. */
export const siteParams = z.object({ id: z.string().meta({ description: 'Id or slug of the site.' }) })

/** Printable, so that it can be stored and shown. */
export const idempotencyHeaders = z.object({
  'Idempotency-Key': z
    .string()
    .regex(/^[\x21-\x7e]{1,255}$/, { error: 'is not 1 to 255 printable characters without a space' })
    .optional()
    .meta({ description: 'Chosen by the client: 1 to 255 printable characters, no spaces.' }),
})
