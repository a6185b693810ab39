import { z } from 'zod'

const counted = (description: string) =>
  z.object({ total: z.number().int(), working: z.number().int() }).meta({ description })

/** How well a site's pages agree with its own source. */
export const siteCheckSchema = z
  .object({
    words: z
      .object({
        medianPercent: z.number(),
        worst: z.object({ file: z.string(), percent: z.number() }).nullable(),
        lossyPages: z.number().int().meta({ description: 'Pages that a finding names for their lost words.' }),
      })
      .meta({ description: "Percentage of each source's words that its page contains." }),
    links: counted('Root-relative links, and how many of them lead somewhere.'),
    anchors: counted('Links to a section of a page of the site, and how many of the sections exist.'),
    addressRule: z
      .string()
      .nullable()
      .meta({ description: "How page addresses differ from the format's, taken from the site's own links; or null." }),
  })
  .meta({ id: 'SiteCheck' })

export type SiteCheck = z.output<typeof siteCheckSchema>

export const siteConfirmationSchema = z.object({
  links: z
    .array(z.string())
    .meta({ description: "Addresses of a few pages, to try out; paths if the site's URL is not set." }),
  isLive: z.boolean().meta({ description: 'Whether an earlier version is served meanwhile.' }),
})

export type SiteConfirmation = z.output<typeof siteConfirmationSchema>
